// Business hours against loops over single minutes of Temporal's clocks: switches, split shifts, nights, holidays, changed hours.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { noHours, openForChat, type BusinessHours, type HoursFrom } from '#warehouse/business-hours.ts';
import { weekdays } from '#warehouse/periods.ts';
import { keepAllOpenHours, setBusinessHours } from '#warehouse/store/business-hours.ts';
import { tries } from '../chance.ts';
import { account, addChats, later, second, type Chat } from './account.ts';
import { run } from './query-context.ts';

/** Of the year: clocks go forward and back, by half an hour in Lord Howe, and never. */
const zones = ['Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const switches = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];

const two = (value: number): string => String(value).padStart(2, '0');
const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59));
const shift = fc
  .tuple(clock, fc.option(clock))
  .map(([from, until]) => [from, until ?? [24, 0]].map((at) => at.map(two).join(':')).join('-'))
  .filter((text) => text.slice(0, 5) !== text.slice(6));
const week = fc.record(
  Object.fromEntries(weekdays.map((name) => [name, fc.array(shift, { minLength: 1, maxLength: 2 })])),
  { requiredKeys: [] },
);
const daysAround = (day: string): fc.Arbitrary<string> =>
  fc.integer({ min: -3, max: 3 }).map((days) => Temporal.PlainDate.from(day).add({ days }).toString());
const entry = (valid_from: string | null, day: string): fc.Arbitrary<HoursFrom> =>
  fc.record({
    valid_from: fc.constant(valid_from),
    timezone: fc.constantFrom(...zones),
    week,
    holidays: fc.array(daysAround(day), { maxLength: 2 }),
  });
const entries = (day: string, first: fc.Arbitrary<string | null>): fc.Arbitrary<HoursFrom[]> =>
  fc.tuple(first, fc.uniqueArray(daysAround(day), { maxLength: 2 })).chain(([begins, changes]) =>
    fc.tuple(
      entry(begins, day),
      ...changes
        .sort()
        .filter((change) => begins === null || change > begins)
        .map((change) => entry(change, day)),
    ),
  );

const hoursAround = (day: string): fc.Arbitrary<BusinessHours> =>
  fc.record({
    hours: entries(day, fc.constant(null)),
    groups: fc.tuple(
      fc.record({ group: fc.constant(1), hours: entries(day, fc.option(daysAround(day))) }),
      fc.record({ group: fc.constant(2), hours: entries(day, fc.option(daysAround(day))) }),
    ),
  });

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** Whether an entry is in force on a local day: it began, and none after it did. */
const inForce = (all: readonly HoursFrom[], at: number, day: string): boolean =>
  (all[at]?.valid_from ?? '') <= day && all.slice(at + 1).every(({ valid_from }) => (valid_from ?? '') > day);

function isOpenBy(all: readonly HoursFrom[], epoch: number): boolean {
  return all.some((entry, at) => {
    const now = Temporal.Instant.fromEpochMilliseconds(epoch * 1000).toZonedDateTimeISO(entry.timezone);
    const minute = now.hour * 60 + now.minute;
    return [0, 1].some((ago) => {
      const begun = now.toPlainDate().subtract({ days: ago });
      const day = begun.toString();
      if (!inForce(all, at, day) || entry.holidays.includes(day)) return false;
      return (entry.week[weekdays[begun.dayOfWeek - 1] ?? 'mon'] ?? []).some((text) => {
        const [from, until] = [minuteOf(text.slice(0, 5)), minuteOf(text.slice(6))];
        if (ago === 1) return until <= from && minute < until;
        return minute >= from && (until <= from || minute < until);
      });
    });
  });
}

function isOpen({ hours, groups }: BusinessHours, of: readonly number[], epoch: number): boolean {
  const timelines =
    of.length === 0 ? [hours] : of.map((group) => groups.find((own) => own.group === group)?.hours ?? []);
  return timelines.some((own) => {
    if (own.length === 0) return isOpenBy(hours, epoch);
    const begins = own[0]?.valid_from ?? '';
    return isOpenBy([...hours.filter(({ valid_from }) => (valid_from ?? '') < begins), ...own], epoch);
  });
}

/** Seconds of each minute that is open, one minute after the other. */
function openSeconds(written: BusinessHours, of: readonly number[], from: number, until: number): number {
  let seconds = 0;
  for (let minute = Math.floor(from / 60) * 60; minute < until; minute += 60)
    if (isOpen(written, of, minute)) seconds += Math.min(until, minute + 60) - Math.max(from, minute);
  return seconds;
}

const anything = fc.constantFrom(...switches).chain((day) =>
  fc.record({
    written: hoursAround(day),
    groups: fc.subarray([1, 2, 9]),
    from: fc.integer({ min: -86_400, max: 86_400 }).map((offset) => second(`${day}T00:00:00Z`) + offset),
    seconds: fc.integer({ min: 0, max: 2 * 86_400 }),
  }),
);

describe('time in business hours', () => {
  test('is what single minutes of the wall clock add up to', () => {
    fc.assert(
      fc.property(anything, ({ written, groups, from, seconds }) => {
        const pieces = openForChat(written, groups, from, from + seconds);
        const found = pieces.reduce((sum, piece) => sum + piece.until - piece.from, 0);
        expect(found).toBe(openSeconds(written, groups, from, from + seconds));
      }),
      { numRuns: tries(5, 40) },
    );
  });

  test('is the same in the numbers of chats, for waits in the queue and for first responses', async () => {
    const engine = await account([]);
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 86_400 }), fc.integer({ min: 0, max: 20_000 })), {
          minLength: 1,
          maxLength: 6,
        }),
        async ({ written, groups, from }, waits) => {
          for (const table of ['chats', 'chat_agents', 'chat_turns', 'chat_groups'])
            await engine.exec(`delete from facts.${table}`);
          const chats = waits.map(([after, queue]): Chat => {
            const start = new Date((from + after) * 1000).toISOString();
            return { start, queue, groups, first: [queue, 'a@x.test'] };
          });
          await addChats(engine, chats);
          await setBusinessHours(engine, 'default', written);
          await keepAllOpenHours(engine);
          const begins = {
            entered_chat: (start: number, queue: number) => start - queue,
            first: (start: number) => start + 10,
          };
          for (const [kind, at] of Object.entries(begins)) {
            const counted = chats.flatMap(({ start, queue = 0 }) => {
              const began = at(second(start), queue);
              const open = openSeconds(written, groups, began, began + queue);
              return open > 0 || (queue === 0 && isOpen(written, groups, began)) ? [open] : [];
            });
            const question = { from: '2026-01-01', to: '2026-12-31', grain: 'total' };
            const metric = kind === 'first' ? 'first_response_time_business' : 'waiting_times_business';
            const { rows } = await run(engine, metric, question, later);
            const [count, mean] =
              kind === 'first' ? ['count', 'seconds'] : ['entered_chat_count', 'entered_chat_average'];
            expect(rows[0]?.[count ?? ''] ?? 0).toBe(counted.length);
            const expected = counted.length === 0 ? null : counted.reduce((sum, one) => sum + one, 0) / counted.length;
            if (expected === null) expect(rows[0]?.[mean ?? ''] ?? null).toBeNull();
            else expect(rows[0]?.[mean ?? '']).toBeCloseTo(expected, 6);
            expect(rows[0]?.outside).toBe(chats.length - counted.length);
          }
        },
      ),
      { numRuns: tries(2, 8) },
    );
    await engine.close();
  });
});

const office: BusinessHours = {
  hours: [
    { valid_from: null, timezone: 'Europe/Warsaw', week: { fri: ['09:00-17:00'], mon: ['09:00-17:00'] }, holidays: [] },
  ],
  groups: [],
};

test('a wait over the weekend counts from closing to opening as nothing, and one wholly outside is not counted', async () => {
  const engine = await account([
    { start: '2026-11-06T15:50:00Z', first: [(64 * 60 + 20) * 60, 'a@x.test'] }, // Friday 16:50:10 to Monday 09:10:10
    { start: '2026-11-07T10:00:00Z', first: [300, 'a@x.test'] },
  ]);
  await setBusinessHours(engine, 'default', office);
  const { rows } = await run(
    engine,
    'first_response_time_business',
    { from: '2026-11-01', to: '2026-11-30', grain: 'total' },
    later,
  );
  expect(rows[0]).toMatchObject({ count: 1, seconds: 20 * 60, outside: 1 });
  await engine.close();
});

test('an account without business hours is told where they are set', async () => {
  const engine = await account([{ start: '2026-11-06T15:50:00Z', queue: 5 }]);
  await setBusinessHours(engine, 'default', noHours);
  await expect(run(engine, 'service_level_business', {}, later)).rejects.toThrow(
    /needs business hours, and none are set for default.*page Business hours.*CHATLEDGER_BUSINESS_HOURS/,
  );
  await engine.close();
});
