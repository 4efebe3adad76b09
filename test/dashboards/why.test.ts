// "Why?": how sure a period's difference is, which periods it is compared with, and parts that add up to it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, AnswerRow } from '#dashboards/answer.ts';
import { surenessOfShares } from '#dashboards/chance.ts';
import { than } from '#dashboards/comparison.ts';
import { daysBefore, slotOf, slotsBefore } from '#dashboards/why/before.ts';
import { comparedOf } from '#dashboards/why/compared.ts';
import { measuredOf, type Catalogued } from '#dashboards/why/measured.ts';
import { partCell, partsOf } from '#dashboards/why/parts.ts';
import { pointedQuery } from '#dashboards/why/asked-about.ts';
import { daysIn, pointedIn, unaskedIn } from '#dashboards/why/pointed.ts';
import { surenessOfPeriod } from '#dashboards/why/stands-out.ts';
import { random } from '../drills/random.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { filtersOf } from '#lib/why/numbers.ts';
import { answer, days, setting } from './answers.ts';

const metricOf = (id: string): Catalogued => {
  const found = catalogue().find((metric) => metric.id === id);
  if (!found) throw new Error(id);
  return found;
};
const csat = measuredOf(metricOf('chat_ratings'), 'csat');

/** A Tuesday and what it is compared with, by these counts of good and of all ratings. */
function tuesdays(good: number, rated: number, before: [number, number]): Answer {
  const row = (good: number, rated: number): AnswerRow => ({ state: 'complete', csat: good / rated, rated });
  const slots = { count: 4, period: '2026-11-17' };
  const compare = { from: '2026-10-20', to: '2026-11-16', rows: [row(...before)], slots };
  return answer([{ ...row(good, rated), period: '2026-11-17' }], { metric: 'chat_ratings', split: [], compare });
}

describe('the sentence', () => {
  it('says both numbers, of how many they are, which days these are and how sure it is', () => {
    const told = comparedOf(csat, tuesdays(41, 52, [228, 257]), { own: [], all: [] }, 'en-GB');
    expect(told?.sentence).toBe(
      '78.8% of 52 rated chats against 88.7% of 257 on the four Tuesdays before: at the edge of chance.',
    );
    expect(told?.change).toMatchObject({ sign: 0, verdict: 'neither' });
  });

  it('calls a clear fall worse, a small difference no clear change, and a handful too few', () => {
    const of = (whole: Answer) => comparedOf(csat, whole, { own: [], all: [] }, 'en-GB');
    expect(of(tuesdays(20, 52, [228, 257]))).toMatchObject({
      change: { sign: -1, verdict: 'worse' },
      isByChance: false,
    });
    expect(of(tuesdays(45, 52, [228, 257]))?.sentence).toContain('no clear change');
    expect(of(tuesdays(2, 5, [228, 257]))?.sentence).toContain('too few to tell');
  });

  it.each([
    ['2026-11-17', 4, 'the four Tuesdays before'],
    ['2026-11-17', 1, 'the Tuesday before'],
    ['2026-11-17 14:00', 3, 'the three Tuesdays before, 14 to 15 o’clock'],
    ['2026-W47', 4, 'the four weeks before'],
    ['2026-11', 2, 'the two months before'],
  ])('%s beside %i before it: %s', (period, count, told) => {
    const compare = { from: '', to: '', rows: [], slots: { count, period } };
    expect(than(answer([], { compare }), 'en-GB')).toBe(told);
  });
});

it('a share is at the edge of chance between 90 and 95 per cent', () => {
  expect(surenessOfShares({ value: 0.5, n: 100 }, { value: 0.5, n: 100 })).toBe('unclear');
  expect(surenessOfShares({ value: 0.2, n: 100 }, { value: 0.5, n: 100 })).toBe('clear');
});

describe('whether a day stands out', () => {
  const next = random(20_261_124);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  function poisson(mean: number): number {
    let [count, product] = [0, next()];
    for (const least = Math.exp(-mean); product > least; product *= next()) count += 1;
    return count;
  }
  /** Four weeks by weekday, and one more Tuesday. */
  function world(draw: (weekday: number) => number) {
    const slots = Array.from({ length: 7 }, (_, weekday) => Array.from({ length: 4 }, () => draw(weekday)));
    return { slots, own: slots[1] ?? [], now: draw(1) };
  }
  const flagged = (draw: (weekday: number) => number, kind: 'count' | 'time', factor = 1): number => {
    const worlds = Array.from({ length: 600 }, () => world(draw));
    return (
      worlds.filter(({ now, own, slots }) => surenessOfPeriod(now * factor, own, slots, kind) === 'clear').length / 600
    );
  };
  const chats = (weekday: number) => poisson((weekday < 5 ? 60 : 15) * (1 + 0.3 * (2 * next() - 1)));
  const seconds = (weekday: number) => Math.exp(3 + 0.1 * weekday + 0.2 * normal());

  it('in accounts with a week of their own that do not change, at most 7 of 100 do', () => {
    expect(flagged(chats, 'count')).toBeLessThan(0.07);
    expect(flagged(seconds, 'time')).toBeLessThan(0.07);
  });

  it('a third of the chats and twice the time do', () => {
    expect(flagged(chats, 'count', 1 / 3)).toBeGreaterThan(0.8);
    expect(flagged(seconds, 'time', 2)).toBeGreaterThan(0.8);
  });

  it('one period before, or a number below zero, tells nothing', () => {
    expect(surenessOfPeriod(1, [5], [[5]], 'count')).toBeUndefined();
    expect(surenessOfPeriod(-1, [5, 6, 7, 8], [[5, 6, 7, 8]], 'count')).toBeUndefined();
  });
});

describe('the periods before', () => {
  it('are the same weekdays, weeks and months', () => {
    expect(daysBefore('2026-11-17', 4)).toEqual({ from: '2026-10-20', to: '2026-11-16' });
    expect(daysBefore('2026-W47', 2)).toEqual({ from: '2026-11-02', to: '2026-11-15' });
    expect(daysBefore('2026-03', 4)).toEqual({ from: '2025-11-01', to: '2026-02-28' });
    expect(slotOf('2026-11-17 09:00')).toEqual({ weekday: 'tue', hour_of_day: '09' });
  });

  it('end where there is no number, so that no week is skipped', () => {
    const rows = days(
      'n',
      Array.from({ length: 29 }, (_, at) => at),
      [],
      '2026-10-20',
    );
    const missing = rows.map((row) => (row.period === '2026-11-03' ? { ...row, state: 'not_pulled' as const } : row));
    expect(slotsBefore('2026-11-17', rows).own.map(({ period }) => period)).toEqual([
      ...['2026-11-10', '2026-11-03', '2026-10-27', '2026-10-20'],
    ]);
    expect(slotsBefore('2026-11-17', missing).own.map(({ period }) => period)).toEqual(['2026-11-10']);
  });
});

describe('what accounts for it', () => {
  const groups = fc.array(fc.tuple(fc.nat(40), fc.nat(40), fc.nat(160), fc.nat(160)), { minLength: 1, maxLength: 6 });

  it('adds up to the difference, of a share over four Tuesdays as of a sum', () => {
    fc.assert(
      fc.property(groups, (drawn) => {
        const parts = drawn.map(([good, bad, was, wrong], at) => ({
          group: at,
          now: [good, bad],
          before: [was, wrong],
        }));
        const row = ([good = 0, bad = 0]: number[], rest: Partial<AnswerRow> = {}): AnswerRow => ({
          ...{ state: 'complete', good, rated: good + bad, csat: good + bad ? good / (good + bad) : null },
          ...rest,
        });
        const all = (of: 'now' | 'before') =>
          [0, 1].map((at) => parts.reduce((sum, part) => sum + (part[of][at] ?? 0), 0));
        const slots = { count: 4, period: '2026-11-17' };
        const of = (now: AnswerRow[], before: AnswerRow[], split: string[]) =>
          answer(now, { metric: 'chat_ratings', split, compare: { from: '', to: '', slots, rows: before } });
        const answers = [
          of([row(all('now'))], [row(all('before'))], []),
          of(
            parts.map(({ now, group }) => row(now, { group })),
            parts.map(({ before, group }) => row(before, { group })),
            ['group'],
          ),
        ];
        for (const measure of ['csat', 'good']) {
          const told = partsOf('chat_ratings', measuredOf(metricOf('chat_ratings'), measure), answers, setting);
          for (const { division, bars } of told?.lists ?? []) {
            const [whole, ...rest] = bars;
            const sum = rest.reduce((sum, { change }) => sum + change, 0);
            expect(Math.abs(sum - (whole?.change ?? NaN))).toBeLessThan(1e-9);
            expect(Math.abs(division.left)).toBeLessThan(1e-9);
            if (measure === 'good')
              expect(whole?.change).toBeCloseTo((all('now')[0] ?? 0) - (all('before')[0] ?? 0) / 4, 9);
          }
        }
      }),
    );
  });

  it('is the mean where a percentile is asked about, shares weighed by their chats, and nothing of a score', () => {
    const divided = (metric: string, measure: string) => measuredOf(metricOf(metric), measure).divided;
    expect(divided('first_response_time', 'p50')).toMatchObject({ measure: 'seconds', weight: 'count' });
    expect(divided('waiting_times', 'entered_chat_p50')).toMatchObject({ measure: 'entered_chat_average' });
    expect(divided('not_replied_chats', 'share')).toMatchObject({ measure: 'share', weight: 'chats' });
    expect(divided('queued_visitors', 'abandonment')).toMatchObject({ measure: 'abandonment', weight: 'queued' });
    expect(divided('total_chats', 'chats')).toEqual({ measure: 'chats', label: 'chats', unit: 'count' });
    expect(divided('chat_ranking', 'score')).toBeUndefined();
    expect(divided('concurrent_chats', 'most')).toBeUndefined();
  });

  it('leads to the part: a group of the day, an hour of it', () => {
    const cell = { metric: 'm', measure: 'n', grain: 'asked' as const, period: '2026-11-17', at: {} };
    expect(partCell(cell, 'group', '3')).toEqual({ ...cell, at: { group: '3' } });
    expect(partCell(cell, 'hour_of_day', '09')).toMatchObject({ grain: 'hour', period: '2026-11-17 09:00' });
    expect(partCell({ ...cell, period: '2026-W47' }, 'hour_of_day', '09')).toBeUndefined();
  });
});

describe('its address', () => {
  const usual = { from: '2026-01-01', to: '2026-01-31', timezone: 'UTC' };
  const text = fc.string({ minLength: 1, maxLength: 12 });

  it('gives back what was pointed at', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('previous' as const, 'year' as const),
        fc.uniqueArray(text, { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('agent', 'tag'), fc.string()),
        fc.option(fc.constantFrom('2026-11-17', '2026-11-18'), { nil: undefined }),
        (compare, tag, at, period) => {
          const grain = period === undefined ? ('total' as const) : ('day' as const);
          const when = period === undefined ? { grain: 'total' as const } : { grain: 'asked' as const, period };
          const pointed = {
            cell: { metric: 'chat_ratings', measure: 'csat', ...when, at },
            asking: {
              account: null,
              from: '2026-11-01',
              to: '2026-11-30',
              timezone: 'UTC',
              grain,
              group: [],
              agent: [],
              variable: [],
              tag,
            },
            compare,
          };
          const written = new URLSearchParams(pointedQuery(pointed).toString());
          expect(pointedIn('chat_ratings', written, usual)).toEqual(pointed);
        },
      ),
    );
  });

  it('of a week at the edge of the range is about its days in the range only', () => {
    const query = new URLSearchParams({ from: '2026-11-18', to: '2026-11-30', grain: 'week', period: '2026-W47' });
    expect(daysIn(pointedIn('m', query, usual))).toEqual({ from: '2026-11-18', to: '2026-11-22', isWhole: false });
  });
});

describe('a number that is narrowed otherwise than pages narrow', () => {
  it('is not answered for as if it were not', () => {
    const of = (query: string) => unaskedIn(new URLSearchParams(query));
    expect(of('country=Germany')).toBe('country');
    expect(of('variable=plan:pro&split=weekday,variable:plan&at.variable=pro')).toBeUndefined();
    expect(of('as_of=2026-11-01T00:00:00Z')).toBe('as_of');
    expect(of('group=2&split=currency&at.currency=EUR&back=/why/sales?country=Peru')).toBeUndefined();
  });
});

describe('a number by a declared variable', () => {
  const catalogued = { id: 'm', filters: ['group', 'variable'], splits: ['variable'] } as never;
  const of = (query: string) => {
    const usual = { from: '2026-11-01', to: '2026-11-30', timezone: 'UTC' };
    const pointed = pointedIn('m', new URLSearchParams(query), usual);
    return { pointed, filters: filtersOf(pointed, catalogued) };
  };

  it('is asked about as its receipt names it', () => {
    const query = 'group=2&variable=region%3Aeu&split=variable%3Aplan&at.variable=pro&measure=n';
    const { pointed, filters } = of(query);
    expect(pointedQuery(pointed).toString()).toContain(
      'split=variable%3Aplan&group=2&variable=region%3Aeu&at.variable=pro',
    );
    expect(filters).toEqual([
      ['group', '2'],
      ['variable', 'region:eu'],
      ['variable', 'plan:pro'],
    ]);
  });

  it('is that of its value alone, whatever values of the variable its page has chosen', () => {
    expect(of('variable=plan%3Apro&variable=plan%3Afree&split=variable%3Aplan&at.variable=pro').filters).toEqual([
      ['variable', 'plan:pro'],
    ]);
    expect(of('split=variable%3Aplan&at.variable=').filters).toEqual([]);
  });
});

it('chats of a number that is neither good nor bad are not put in an order of worse and better', () => {
  const worst = (metric: string, measure: string) => measuredOf(metricOf(metric), measure).worst;
  expect(worst('occupancy', 'occupancy')).toBe('started');
  expect([worst('chat_ratings', 'csat'), worst('not_replied_chats', 'share')]).toEqual(['smallest', 'largest']);
  expect(worst('first_response_time', 'p50')).toBe('largest');
});
