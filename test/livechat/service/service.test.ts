// The life of the service: fixed at its first start, kept over restarts, growing at local midnight, alone on its port.
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { PortInUse, startService } from '#service/service.ts';
import { OtherAccount } from '#service/settle.ts';
import { at, chat, tinyService } from './tiny.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>> | undefined;
afterEach(async () => {
  await it_runs?.end();
  it_runs = undefined;
});
const totals = async () => (await it_runs!.ask('/reports/chats/total_chats?group_by=day')).json();

const tiny = {
  zone: 'Europe/Warsaw',
  now: '2026-05-06T12:00:00Z',
  days: 3,
  chats: [chat('2026-05-04T10:00:00Z', '2026-05-04T10:05:00Z')],
};

describe('the account', () => {
  it('begins as many days ago as asked, today included, and tells how far it is', async () => {
    const told: string[] = [];
    it_runs = await tinyService(tiny, { onProgress: (written, of) => told.push(`${written}/${of}`) });
    expect(it_runs.service().firstDay).toBe('2026-05-04');
    expect(told).toEqual(['1/3', '2/3', '3/3']);
    expect(await totals()).toEqual({
      '2026-05-04': { chats: 1 },
      '2026-05-05': { chats: 0 },
      '2026-05-06': { chats: 0 },
    });
  });
  it('keeps its data and its first day over a restart days later, and lives on', async () => {
    const told: string[] = [];
    it_runs = await tinyService(tiny, { onProgress: (written, of) => told.push(`${written}/${of}`) });
    const before = await (await it_runs.ask('/chats')).text();
    it_runs.clock.now = at('2026-05-08T12:00:00Z');
    await it_runs.restart();
    expect(it_runs.service().firstDay).toBe('2026-05-04');
    expect(told.slice(3)).toEqual(['1/2', '2/2']);
    expect(await (await it_runs.ask('/chats')).text()).toBe(before);
  });
  it('gets its next day at the next local midnight, on the first request', async () => {
    const told: string[] = [];
    const world = ({ firstDay }: { firstDay: string }) => ({
      staff: { agents: [], groups: [], goals: [], greetings: [], canned_responses: [], tags: [] },
      day: (index: number, carry: unknown) => {
        told.push(`${index} after ${JSON.stringify(carry)}`);
        const date = new Date(Date.parse(firstDay) + index * 86_400_000).toISOString().slice(0, 10);
        return {
          records: { date, chats: [], departures: [], displays: [], statuses: [], tickets: [] },
          carry: { index },
        };
      },
    });
    it_runs = await tinyService({ ...tiny, days: 1 }, { world });
    it_runs.clock.now = at('2026-05-06T21:59:59Z');
    await totals();
    expect(told).toEqual(['0 after null']);
    it_runs.clock.now = at('2026-05-06T22:00:00Z');
    await totals();
    expect(told).toEqual(['0 after null', '1 after {"index":0}']);
  });
  it('cannot become another one: a different seed or zone is a clear error', async () => {
    it_runs = await tinyService(tiny);
    for (const other of [{ seed: 2 }, { zone: 'UTC' }]) {
      await expect(startService({ ...it_runs.options, ...other })).rejects.toThrow(OtherAccount);
    }
    await expect(startService({ ...it_runs.options, seed: 2 })).rejects.toThrow(/seed 1 in Europe\/Warsaw/);
    expect(await totals()).toHaveProperty('2026-05-04');
  });
});

describe('the port', () => {
  it('in use is named, and nothing is written', async () => {
    it_runs = await tinyService(tiny);
    const port = Number(new URL(it_runs.service().url).port);
    const file = `${it_runs.options.file}.second`;
    await expect(startService({ ...it_runs.options, file, port })).rejects.toEqual(new PortInUse(port));
    expect(existsSync(file)).toBe(false);
  });
  it('is free again after closing', async () => {
    it_runs = await tinyService(tiny);
    const port = Number(new URL(it_runs.service().url).port);
    const { options } = it_runs;
    await it_runs.service().close();
    await (await startService({ ...options, port })).close();
  });
});
