// The largest answers that are read fit through the memory that the files of a pull are given.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { openArchive } from '#etl/raw/archive.ts';
import { largest_body, readBody } from '#etl/fetch/body.ts';
import { boundsOf } from '#etl/days.ts';
import type { Gathered, ReceivedResponse } from '#etl/fetched.ts';
import { readLedger } from '#etl/ledger/ledger.ts';
import { load } from '#etl/load/load.ts';
import type { PullUnit } from '#etl/unit.ts';
import { emptyTally } from '#etl/tally.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { archivedChatOf } from '../../bench/pages.ts';
import { partOf } from '../chance.ts';
import { gatherKept } from '#etl/raw/gather.ts';
import { readingsOf } from '#etl/raw/readings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Text that no compression makes shorter, so that the body is as large in memory as it can be. */
const noise = (characters: number): string => randomBytes(Math.floor((characters * 3) / 4)).toString('base64');
const room = largest_body - 4096;
const page = (...chats: object[]): string => JSON.stringify({ chats, total: chats.length, pages: 1 });

const bodies: Record<string, string> = {
  'no page at all': JSON.stringify({ words: noise(room) }),
  'one chat': page({ id: 'c0', events: [{ text: noise(room) }] }),
  'many chats': page(...Array.from({ length: 400 }, (_, place) => ({ id: `c${place}`, text: noise(room / 400 - 40) }))),
};

const at = Date.parse('2026-05-04T12:00:00Z') / 1000;
const gathered = (body: string, day: number): Gathered => {
  const unit = { kind: 'archive', day: `2026-05-0${day}`, path: `/chats?date_from=2026-05-0${day}` } as const;
  const answer: ReceivedResponse = {
    ...{ path: unit.path, status: 200, headers: {}, body, bytes: body.length },
    ...{ milliseconds: 5, attempts: 1, asked_at: at, error: null },
  };
  return { unit, answers: [answer], bodies: [], total: 1 };
};

test('of bodies without an end only the evidence is held', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const endless = (): Readable =>
    new Readable({
      read() {
        this.push(Buffer.alloc(64 * 1024, ' '));
      },
    });
  await readBody(endless(), '', '/chats');
  const before = held();
  const readings = [];
  for (let count = 0; count < 12; count += 1) readings.push(await readBody(endless(), '', '/chats'));
  expect(readings.every(({ error }) => error?.message.includes('larger than 16 MB'))).toBe(true);
  expect((held() - before) / 1024 / 1024).toBeLessThan(60);
  expect(readings.length).toBe(12);
});

test('a chat and a misfit as large as any answer that is read are loaded with the memory of a writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-memory-'));
  folders.push(folder);
  const engine = await openWarehouse(join(folder, 'w.duckdb'), writerLimits);
  const of = { account: 'default', timezone: 'UTC', now: at };
  const ledger = await readLedger(engine, of);
  for (let day = 1; day <= 4; day += 1) {
    const { first } = boundsOf(`2026-05-0${day}`, 'UTC');
    const chat = archivedChatOf(day, first);
    const [line] = chat.events;
    if (!line) throw new Error('a chat without lines');
    const long = { ...chat, messages: [], events: [{ ...line, text: noise(room) }] };
    const misfit = { ...archivedChatOf(100 + day, first), rate: null, visitor: { words: noise(room) } };
    const parts = [page(long), page(misfit)].map((body) => gathered(body, day));
    const [one, other] = parts.map((part) => ({
      ...part,
      bodies: [JSON.parse(part.answers[0]?.body ?? '')] as unknown[],
    }));
    if (!one || !other) throw new Error('a day without parts');
    const units = [{ ...one, isPart: true as const }, other] as Gathered<PullUnit>[];
    await load(engine, ledger, units, { ...of, pull_id: 'p-1' }, emptyTally());
  }
  const [found] = await engine.query(
    `select (select max(length(text)) from facts.messages) as words, count(*) as misfits, max(length(body)) as characters
     from ledger.quarantine`,
  );
  expect(found?.misfits).toBe(4);
  expect(Number(found?.words)).toBeGreaterThan(0.98 * largest_body);
  // Of a misfit the beginning is kept here; the raw archive has it whole.
  expect(Number(found?.characters)).toBe(65_536);
  await publish(engine, join(folder, 'published'), at * 1000);
  await engine.close();
});

test.each(partOf(Object.keys(bodies), 3, 2))(
  'answers as large as any that is read are kept and come back: %s',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'chatledger-memory-'));
    folders.push(folder);
    const body = bodies[kind] ?? '';
    expect(body.length).toBeGreaterThan(0.98 * largest_body);
    expect(body.length).toBeLessThanOrEqual(largest_body);
    const pull = { account: 'default', timezone: 'UTC', pull_id: 'p-1' };
    const archive = await openArchive(join(folder, 'a.duckdb'));
    // Two at once, as two lanes of a pull may bring them; then more, until the log has been moved into the file.
    const other = body.replaceAll('c0', 'd0');
    await archive.keep(pull, [gathered(body, 1), gathered(`${other} `, 2)], at);
    for (let day = 3; day <= 9; day += 1)
      await archive.keep(pull, [gathered(`${body}${' '.repeat(day)}`, day)], at + day);
    await archive.close();
    const again = await openArchive(join(folder, 'a.duckdb'));
    const readings = await readingsOf(again.engine, 'default', '2026-05-04');
    expect(readings.length).toBe(9);
    const [first] = readings;
    if (!first) throw new Error('nothing was kept');
    const [part] = await Array.fromAsync(gatherKept(again.engine, 'default', first));
    expect(JSON.stringify(part?.bodies[0]) === body).toBe(true);
    await again.close();
  },
);
