// Targets: one is in force on a day, days are judged by the one of their time, and a plain loop over the chats judges the same.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inForceOn, secondsInForce, stretchesOf } from '#reports/targets/in-force.ts';
import { judgedTargets, verdictOf } from '#reports/targets/judge.ts';
import { isSeen, targetsOf } from '#reports/targets/scope.ts';
import { targetKinds, type TargetKind } from '#warehouse/definitions/uses.ts';
import type { TargetTerms } from '#reports/targets/target.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import type { Store } from '#warehouse/engine.ts';
import { account, insert, later, pulled, type Chat } from '../warehouse/account.ts';
import { contextOf } from '../warehouse/query-context.ts';

const first = dayNumber('2026-03-01');
const day = fc.integer({ min: 0, max: 40 }).map((after) => dateOf(first + after));
const kind = fc.constantFrom<TargetKind[]>(...targetKinds);
const group = fc.constantFrom(null, 1, 2);
const target: fc.Arbitrary<TargetTerms> = fc.record({
  ...{ kind, group, valid_from: day },
  share: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  seconds: fc.option(fc.integer({ min: 1, max: 600 })),
});

describe('a target in force', () => {
  it('is one and no more on each day, whatever was set in whatever order', () => {
    fc.assert(
      fc.property(fc.array(target, { maxLength: 40 }), day, day, (set, one, other) => {
        let ids = 0;
        const { targets } = userDataIn(new DatabaseSync(':memory:'), { clock: () => 0, id: () => String((ids += 1)) });
        for (const it of set) targets.save('local', { ...it, account: 'default' });
        const kept = targets.list('default');
        const places = kept.map((it) => `${it.kind} ${it.group} ${it.valid_from}`);
        expect(new Set(places).size).toBe(places.length);
        const [from = '', to = ''] = [one, other].sort();
        for (const kind of targetKinds)
          for (const group of [null, 1, 2]) {
            const stretches = stretchesOf(kept, kind, group, { from, to });
            for (let at = dayNumber(from); at <= dayNumber(to); at += 1) {
              const on = dateOf(at);
              const covering = stretches.filter((it) => it.from <= on && on <= it.to);
              // The last that was set for the newest day that is not later.
              const mine = set.filter((it) => it.kind === kind && it.group === group && it.valid_from <= on);
              const newest = mine
                .map((it) => it.valid_from)
                .sort()
                .at(-1);
              const wanted = mine.findLast((it) => it.valid_from === newest);
              const expected = wanted && wanted.share !== null ? [wanted.share] : [];
              expect(covering.map((it) => it.target.share)).toEqual(expected);
              expect(inForceOn(kept, kind, group, on)?.share).toBe(expected[0]);
            }
          }
      }),
      { numRuns: 60 },
    );
  });
});

const zone = 'Europe/Warsaw';
const range = { from: '2026-03-16', to: '2026-04-05', timezone: zone };
const localDay = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
let seed = 5;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

// Three weeks in which clocks go forward; some days have many chats, some few.
const chats = Array.from({ length: 21 }, (_, at) => at).flatMap((at) =>
  Array.from({ length: 4 + random(40) }, (): Chat => {
    const second = Date.parse('2026-03-15T23:00:00Z') / 1000 + at * 86_400 + random(86_400);
    return {
      start: new Date(second * 1000).toISOString(),
      groups: [1 + random(2)],
      ...(random(6) === 0 ? {} : { first: [random(100), 'a@x.test'] as const }),
      ...(random(3) === 0 ? { rate: random(5) === 0 ? 'rated_bad' : 'rated_good' } : {}),
      ...(random(2) === 0 ? { queue: random(60) } : {}),
    };
  }),
);
const gone = new Map<string, number>();

const history: TargetTerms[] = [
  { kind: 'first_response', group: null, valid_from: '2026-01-01', share: 0.45, seconds: 45 },
  { kind: 'first_response', group: null, valid_from: '2026-03-25', share: 0.6, seconds: 60 },
  { kind: 'first_response', group: null, valid_from: '2026-04-03', share: null, seconds: null },
  { kind: 'first_response', group: 2, valid_from: '2026-03-20', share: 0.5, seconds: 50 },
  { kind: 'service_level', group: null, valid_from: '2026-01-01', share: 0.5, seconds: 30 },
  { kind: 'satisfaction', group: null, valid_from: '2026-03-18', share: 0.8, seconds: null },
  { kind: 'abandonment', group: null, valid_from: '2026-01-01', share: 0.3, seconds: null },
];

let engine: Store;
beforeAll(async () => {
  engine = await account(chats, zone);
  const of = { source: 'queued_visitors', grain: 'day', split: 'account', split_value: '' };
  for (let at = dayNumber(range.from); at <= dayNumber(range.to); at += 1) gone.set(dateOf(at), random(9));
  await insert(
    engine,
    'reports',
    'queued_visitors',
    [...gone].map(([day, left_queue]) => ({
      ...{ timezone: zone, grain: 'day', split: 'account', split_value: '', period: day, day },
      left_queue,
    })),
  );
  await pulled(engine, zone, range.from, range.to, '2027-02-01T00:00:00Z', of);
});
afterAll(() => engine.close());

/** What each day had, by going through the chats one by one. */
function recount(kind: TargetKind, of: number | null, on: string, seconds: number): [share: number, n: number] {
  let [n, part] = [0, 0];
  for (const { start, groups, first, rate, queue } of chats) {
    if (localDay.format(new Date(start)) !== on || (of !== null && groups?.[0] !== of)) continue;
    const value = { first_response: first?.[0], service_level: queue, satisfaction: undefined, abandonment: queue };
    if (kind === 'satisfaction' ? rate === undefined : value[kind] === undefined) continue;
    n += 1;
    if (kind === 'satisfaction' ? rate === 'rated_good' : kind !== 'abandonment' && (value[kind] ?? 0) <= seconds)
      part += 1;
  }
  if (kind === 'abandonment') [n, part] = [n + (gone.get(on) ?? 0), gone.get(on) ?? 0];
  return [part / n, n];
}

describe('the seconds within which an answer is in time', () => {
  const at = (group: number | null, seconds: number, valid_from = '2026-03-01', share: number | null = 0.8) =>
    ({ kind: 'first_response', group, seconds, valid_from, share }) satisfies TargetTerms;
  const secondsOf = (all: TargetTerms[], group: number | null, metric = 'first_response_within_target') =>
    secondsInForce(all, metric, group, '2026-03-20');

  it('are those of the group, and of the account where it has none: a group and all are counted alike', () => {
    const set = [at(null, 60), at(2, 20)];
    expect([null, 1, 2].map((group) => secondsOf(set, group))).toEqual([60, 60, 20]);
    expect(secondsOf([...set, at(2, 20, '2026-03-10', null)], 2)).toBe(60);
    expect(secondsOf([at(2, 20)], 1)).toBeUndefined();
    expect(secondsOf(set, 2, 'chat_ratings')).toBeUndefined();
  });
});

describe('judged days', () => {
  it.each([null, 2])('are those that a loop over the chats judges, of group %s', async (of) => {
    const judged = await judgedTargets(history, range, of, contextOf(engine, { ...later, zone }));
    const expected =
      of === null ? ['first_response', 'service_level', 'satisfaction', 'abandonment'] : ['first_response'];
    expect(judged.map(({ kind }) => kind)).toEqual(expected);
    for (const { kind, days, met, missed, too_few } of judged) {
      const counts = { met: 0, missed: 0, too_few: 0 };
      let covered = 0;
      for (let at = dayNumber(range.from); at <= dayNumber(range.to); at += 1) {
        const on = dateOf(at);
        let wanted: TargetTerms | undefined;
        for (const one of history) if (one.kind === kind && one.group === of && one.valid_from <= on) wanted = one;
        const found = days.find(({ day }) => day === on);
        if (!wanted || wanted.share === null) {
          expect(found).toBeUndefined();
          continue;
        }
        covered += 1;
        const [share, n] = recount(kind, of, on, wanted.seconds ?? 0);
        const isMet = kind === 'abandonment' ? share <= wanted.share : share >= wanted.share;
        const verdict = n < 10 ? 'too_few' : isMet ? 'met' : 'missed';
        counts[verdict] += 1;
        expect(found).toMatchObject({ n, verdict, share: wanted.share, seconds: wanted.seconds });
        if (n > 0) expect(found?.value).toBeCloseTo(share, 12);
      }
      expect({ met, missed, too_few }).toEqual(counts);
      expect(days).toHaveLength(covered);
      expect(met + missed).toBeGreaterThan(0);
    }
  });

  it('a day that is not over is not judged, and one that was not pulled is not known', async () => {
    const now = Date.parse('2026-04-01T10:00:00Z') / 1000;
    const [first] = await judgedTargets(history, range, null, contextOf(engine, { ...later, zone, now }));
    const verdicts = new Map(first?.days.map(({ day, verdict }) => [day, verdict]));
    expect(verdicts.get('2026-04-01')).toBe('open');
    expect(verdicts.get('2026-04-02')).toBe('open');
    expect(verdicts.get('2026-03-31')).not.toBe('open');
    expect(verdictOf('not_pulled', 1, 100, { share: 0.9 })).toBe('unknown');
  });

  it('a share that is the target meets it, on either side', () => {
    expect(verdictOf('complete', 0.1 + 0.2 + 0.6, 10, { share: 0.9 })).toBe('met');
    expect(verdictOf('complete', 0.3, 10, { share: 0.1 + 0.2, isMost: true })).toBe('met');
    expect(verdictOf('complete', 0.9, 9, { share: 0.9 })).toBe('too_few');
  });
});

describe('whose targets are seen', () => {
  const id = 'r';
  it('are those of chats all of which the reader sees', () => {
    expect(targetsOf({ id }, {})).toBe(null);
    expect(targetsOf({ id }, { group: [2] })).toBe(2);
    expect(targetsOf({ id }, { group: [1, 2] })).toBeUndefined();
    expect(targetsOf({ id }, { tag: ['vip'] })).toBeUndefined();
    expect(targetsOf({ id, rows: { groups: [2] } }, {})).toBe(2);
    expect(targetsOf({ id, rows: { groups: [2, 3] } }, {})).toBeUndefined();
    expect(targetsOf({ id, rows: { groups: [2, 3] } }, { group: [1] })).toBeUndefined();
    expect(targetsOf({ id, rows: { agent: 'a@x.test' } }, {})).toBeUndefined();
    expect([null, 1, 2].map((group) => isSeen({ id, rows: { groups: [2] } }, group))).toEqual([false, false, true]);
    expect(isSeen({ id, rows: { agent: 'a@x.test' } }, 2)).toBe(false);
    expect(isSeen({ id, rows: { hides_agents: true } }, null)).toBe(true);
  });
});
