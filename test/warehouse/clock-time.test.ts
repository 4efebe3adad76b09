// A range that is not over is compared up to the same clock time, on the same day, in any zone and across changes of clocks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { isWhole, tries } from '../chance.ts';
import { addChats, pulled, second, type Chat } from './account.ts';
import { run } from './query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'clock-time-'));
const stores: Store[] = [];
const quarter = 900;

afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Chats every few minutes for some weeks; the last day was pulled while it was running. */
async function running(zone: string, reached: string, chats: readonly Chat[]): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  stores.push(engine);
  await addChats(engine, chats);
  const today = localOf(zone, second(reached)).day;
  await pulled(engine, zone, dayBefore(beginning), dayBefore(today), '2027-02-01T00:00:00Z');
  await pulled(engine, zone, today, today, reached);
  return engine;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Date and clock time as the calendar of the system says them. */
function localOf(zone: string, at: number): { day: string; time: string } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  const [day = '', time = ''] = format.format(at * 1000).split(' ');
  return { day, time };
}
const dayBefore = (day: string, days = 1): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

const beginning = '2026-02-01';

/** From the beginning on, so many seconds apart. */
const chatsUntil = (reached: string, every: number): Chat[] =>
  Array.from({ length: Math.floor((second(reached) - second(beginning)) / every) }, (_, index) => ({
    start: new Date((second(beginning) + index * every) * 1000).toISOString(),
    seconds: 60 + (index % 7) * 100,
    agents: [index % 3 === 0 ? 'a@x.test' : 'b@x.test'],
  }));

const zones = ['UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns'];
// Clocks change on 29 March in Europe, on 8 March in America: on the day itself, a week after it, and in the last minutes of it.
const instants = [
  ...['2026-03-29T10:17:00Z', '2026-04-05T14:40:00Z', '2026-03-29T21:55:00Z', '2026-03-12T00:07:30Z'],
  ...['2026-03-08T16:20:00Z', '2026-03-15T23:50:00Z'],
];

/** Each zone around its own changes, and those without any on two of these days; the drill takes all pairs. */
const often: Readonly<Record<string, readonly number[]>> = {
  ...{ UTC: [0, 3], 'Europe/Warsaw': [0, 1, 2], 'Asia/Kathmandu': [2, 5], 'America/St_Johns': [3, 4, 5] },
};

async function publishedOf(writer: Store, ...name: readonly string[]): Promise<Store> {
  const { file } = await publish(writer, join(folder, ...name.map((part) => part.replaceAll(/[/:]/g, '-'))), 0);
  const published = await openWarehouse(file, { readOnly: true });
  stores.push(published);
  return published;
}

it('chats of the last day count up to the clock time that was reached, as a plain loop finds it', async () => {
  for (const zone of zones)
    for (const reached of instants.filter((_, place) => isWhole || often[zone]?.includes(place))) {
      const chats = chatsUntil(reached, 2777);
      const writer = await running(zone, reached, chats);
      // What a snapshot counts in advance, once in each zone; with the drill each time.
      const isFirst = instants.indexOf(reached) === often[zone]?.[0];
      const asking = isWhole || isFirst ? [writer, await publishedOf(writer, zone, reached)] : [writer];
      const { day: today, time } = localOf(zone, second(reached));
      const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
      const nearest = Math.round((hours * 3600 + minutes * 60 + seconds) / quarter) * quarter;
      const round = Math.min(nearest, 86_400 - quarter);
      const whole = [Math.floor(round / 3600), Math.floor((round % 3600) / 60), 0];
      const end = whole.map((part) => String(part).padStart(2, '0')).join(':');
      const starts = chats.map(({ start }) => localOf(zone, second(start)));
      for (const days of [1, 7, 10]) {
        const earlier = Math.ceil(days / 7) * 7;
        const asked = { from: dayBefore(today, days - 1), to: today, timezone: zone, compare: 'previous' };
        const [first, last] = [dayBefore(asked.from, earlier), dayBefore(today, earlier)];
        const expected = starts.filter(
          ({ day, time: at }) => day >= first && (day < last || (day === last && at < end)),
        ).length;
        for (const engine of asking) {
          const now = { account: 'default', zone, now: second(reached) + 60 };
          const { compare } = await run(engine, 'total_chats', { ...asked, grain: 'total' }, now);
          expect([zone, reached, days, compare?.from, compare?.to, compare?.rows[0]?.chats]).toEqual([
            ...[zone, reached, days, first, last, expected],
          ]);
          const until = localOf(zone, Date.parse(String(compare?.until)) / 1000);
          expect(until).toEqual({ day: last, time: end });
          const byDay = await run(engine, 'total_chats', { ...asked, grain: 'day' }, now);
          const sum = byDay.compare?.rows.reduce((all, { chats: of }) => all + Number(of), 0);
          expect([byDay.compare?.rows.length, sum]).toEqual([days, expected]);
        }
      }
    }
});

it('a line by hour ends there, levels too, and a range that is over is compared whole', async () => {
  const reached = '2026-04-02T10:40:00Z';
  const writer = await running('UTC', reached, chatsUntil(reached, 700));
  const published = await publishedOf(writer, 'lines');
  const now = { account: 'default', zone: 'UTC', now: second(reached) };
  for (const engine of [writer, published])
    for (const metric of ['total_chats', 'concurrent_chats']) {
      const open = { from: '2026-04-01', to: '2026-04-02', compare: 'previous', grain: 'hour' };
      const { compare } = await run(engine, metric, open, now);
      expect(compare?.until).toBe('2026-03-26T10:45:00.000Z');
      expect(compare?.rows.map(({ period }) => period).at(-1)).toBe('2026-03-26 10:00');
      expect(compare?.rows).toHaveLength(24 + 11);
      const over = await run(engine, metric, { ...open, from: '2026-03-31', to: '2026-04-01' }, now);
      expect(over.compare?.until).toBeUndefined();
      expect(over.compare?.rows).toHaveLength(48);
    }
  const whole = { from: '2026-04-02', to: '2026-04-02', compare: 'previous', grain: 'total', split: 'hour_of_day' };
  const [kept, swept] = [
    await run(published, 'concurrent_chats', whole, now),
    await run(writer, 'concurrent_chats', whole, now),
  ];
  expect(kept.compare).toEqual(swept.compare);
});

it('a range that reaches into the future is compared up to now', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6 }), async (ahead) => {
      const reached = '2026-03-18T12:00:00Z';
      const writer = await running('UTC', reached, chatsUntil(reached, 3600));
      const to = dayBefore('2026-03-18', -ahead);
      const asked = { from: '2026-03-16', to, compare: 'previous', grain: 'total' };
      const { compare } = await run(writer, 'total_chats', asked, {
        account: 'default',
        zone: 'UTC',
        now: second(reached),
      });
      const earlier = Math.ceil((3 + ahead) / 7) * 7;
      expect(compare).toMatchObject({ to: dayBefore('2026-03-18', earlier), rows: [{ chats: 60 }] });
    }),
    { numRuns: tries(2, 7) },
  );
});
