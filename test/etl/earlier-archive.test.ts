// A raw archive as an earlier version wrote it, which parsed whole pages: raw-archive-2.json holds its rows and the hashes by which the facts
// knew its chats. One page is compact, one has white space and a part of a number, one has escapes and its chats at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Gathered, ReceivedResponse } from '#etl/fetched.ts';
import { readLedger } from '#etl/ledger/ledger.ts';
import { load } from '#etl/load/load.ts';
import { openArchive, type RawArchive } from '#etl/raw/archive.ts';
import { nobodyErased } from '#etl/erased/erased.ts';
import { contentsOf, dayHashes, readDayOnce } from '#etl/raw/changed-day.ts';
import { putTogether } from '#etl/raw/pages.ts';
import { rebuild } from '#etl/rebuild/rebuild.ts';
import { emptyTally } from '#etl/tally.ts';
import type { ArchiveUnit } from '#etl/unit.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { rawBodies, rawChats, rawResponses } from '#warehouse/tables/tables.ts';
import earlier from './raw-archive-2.json' with { type: 'json' };
import { at } from './pulled.ts';

const folders: string[] = [];
const archives: RawArchive[] = [];
afterEach(async () => {
  for (const archive of archives.splice(0)) await archive.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function earlierArchive(): Promise<RawArchive> {
  const archive = await openArchive(':memory:');
  archives.push(archive);
  await archive.engine.load(rawResponses, earlier.responses);
  await archive.engine.load(rawBodies, earlier.bodies);
  await archive.engine.load(rawChats, earlier.chats);
  return archive;
}

const texts = new Map(earlier.chats.map(({ hash, body }) => [hash, body]));
const bodies = new Map(
  earlier.bodies.map(({ hash, form, body }) => [hash, putTogether(form, body, (of) => texts.get(of))]),
);
const unit = JSON.parse(earlier.responses[0]?.unit ?? '') as ArchiveUnit;

/** The same answers, as a pull receives them now. */
function receivedAgain(): Gathered<ArchiveUnit> {
  const answers = earlier.responses.map(({ path, hash }): ReceivedResponse => {
    const body = bodies.get(hash) ?? '';
    return {
      ...{ path, status: 200, headers: {}, body, bytes: Buffer.byteLength(body), milliseconds: 5, attempts: 1 },
      ...{ asked_at: at('2026-05-05T13:00:00Z'), error: null },
    };
  });
  return { unit, answers, bodies: [], pages: answers, total: 5 };
}

const of = { account: 'default', timezone: 'UTC', now: at('2026-05-05T12:00:00Z') };

test('an archive of an earlier version is read: its chats are the same facts', async () => {
  const archive = await earlierArchive();
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-earlier-'));
  folders.push(folder);
  const { fresh, chats } = await rebuild({
    ...{ file: join(folder, 'w.duckdb'), archive: archive.engine, records: [], now: of.now },
  });
  expect(chats).toBe(5);
  const engine = await openWarehouse(fresh, { readOnly: true });
  const rows = await engine.query(
    `select chat_id, duration_seconds, visitor_name, start_url from facts.chats order by chat_id`,
  );
  await engine.close();
  expect(rows).toEqual(
    ['A1', 'A2', 'B1', 'C1', 'C2'].map((chat_id) => ({
      ...{ chat_id, duration_seconds: 60, visitor_name: 'Zoë', start_url: 'https://www.example.com/' },
    })),
  );
});

test('the same answers again add no body and no chat to it, and are seen as the same', async () => {
  const archive = await earlierArchive();
  const again = receivedAgain();
  const engine = await openWarehouse(':memory:');
  const ledger = await readLedger(engine, of);
  await load(engine, ledger, [again], { ...of, pull_id: 'p-2' }, emptyTally());
  await engine.close();
  await archive.keep({ ...of, pull_id: 'p-2' }, [again], at('2026-05-05T13:00:00Z'));
  const [counts] = await archive.engine.query(
    `select (select count(*) from raw.chats) as chats, (select count(*) from raw.bodies) as bodies,
     count(*) as answers, min(times) as times, min(last_pull_id) as last from raw.responses`,
  );
  expect(counts).toEqual({ chats: 5, bodies: 3, answers: 3, times: 2, last: 'p-2' });
});

test('facts of an earlier version know their chats when these are received again, and an erasure finds both names', async () => {
  const engine = await openWarehouse(':memory:');
  const ledger = await readLedger(engine, of);
  const batch = { ...of, pull_id: 'p-1' };
  const parsed = [...bodies.values()].map((body) => JSON.parse(body) as unknown);
  await load(engine, ledger, [{ unit, answers: [], bodies: parsed, total: 5 }], batch, emptyTally());
  expect(await engine.query('select chat_id, content_hash from facts.chats order by chat_id')).toEqual(earlier.facts);
  const tally = emptyTally();
  await load(engine, ledger, [receivedAgain()], { ...batch, pull_id: 'p-2' }, tally);
  expect(tally).toMatchObject({ chats_new: 0, chats_changed: 0, chats_unchanged: 5 });
  await engine.close();
  for (const { chat_id, body, hash } of earlier.chats) {
    const known = earlier.facts.find((fact) => fact.chat_id === chat_id)?.content_hash;
    expect([...contentsOf(body)]).toEqual(expect.arrayContaining([hash, known]));
  }
  const { engine: archive } = await earlierArchive();
  const days = await dayHashes(archive, nobodyErased, 'default', unit.day, readDayOnce(archive));
  expect(days.map(({ before }) => before)).toContain(earlier.day);
});
