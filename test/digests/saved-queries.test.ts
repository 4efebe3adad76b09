// Saved queries in digests: run as the owner who saved the digest, left out with a reason, and the same when it is made again.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryPanel } from '#dashboards/board-queries.ts';
import type { BoardLayout } from '#dashboards/boards.ts';
import type { QueryValues } from '#dashboards/queries/result.ts';
import { folderOf } from '#digests/channels/folder.ts';
import { textOf } from '#digests/channels/mail-text.ts';
import type { DigestDocument } from '#digests/document.ts';
import { forgetResults, results_folder } from '#digests/kept-results.ts';
import { wordsOf } from '#digests/letters.ts';
import { pagesOf } from '#digests/pdf/pages.ts';
import {
  ordersOfDigest,
  type QueryOrder,
  type QueryOutcome,
  type QueryRunner,
  type SeenQuery,
} from '#digests/saved-queries.ts';
import { shownQueries } from '#digests/shown-queries.ts';
import { round } from '#digests/scheduler.ts';
import { again } from '#digests/send-inputs.ts';
import type { Store } from '#warehouse/engine.ts';
import { account } from '../warehouse/account.ts';
import { digest, digestDeps, monday } from './deps.ts';

const folder = mkdtempSync(join(tmpdir(), 'digests-with-queries-'));
let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const id = 'by-hand';
const board: BoardLayout = {
  ...{ id: 'b1', title: 'Monday' },
  panels: [
    { panel: 'overview/volume', size: 'full' },
    { panel: queryPanel(id), size: 'full' },
  ],
};
const saved: SeenQuery = {
  ...{ name: 'Chats by hand', by: 'Ann' },
  statement: 'select * from facts.chats where started_at >= $from and started_at < $to::date + 1 limit $limit',
  parameters: { from: '2026-01-01', to: '2026-01-02', limit: 5 },
  chart: null,
};

const table = (rows: unknown[][], names = ['word', 'count'], more = false): QueryOutcome => ({
  ...{ kind: 'answered', rows, more },
  columns: names.map((name, at) => ({ name, type: at === 0 ? 'VARCHAR' : 'BIGINT' })),
});
const two = table([
  ['a', 1],
  ['=b', null],
]);

interface Faked {
  outcome?: QueryOutcome;
  askerOf?: QueryRunner['askerOf'];
  seen?: SeenQuery | undefined;
}

/** Runs nothing, and notes what it was to run. */
function fake({ outcome = two, ...differs }: Faked = {}) {
  const ran: { parameters: QueryValues; snapshot: string; about: string }[] = [];
  const runner: QueryRunner = {
    askerOf: differs.askerOf ?? (() => ({ reader: 'u1', role: 'analyst' })),
    find: (asked) => (asked === id ? ('seen' in differs ? differs.seen : saved) : undefined),
    run: ({ parameters, snapshot, about }) => {
      ran.push({ parameters, snapshot, about });
      return Promise.resolve(outcome);
    },
  };
  return { runner, ran };
}

const key = { digest: 'week', period: '2026-W19', reader: 'ann', channel: 'folder' };

interface Sending extends Faked {
  digest?: Parameters<typeof digest>[0];
  is_agreed?: boolean;
  runner?: QueryRunner | undefined;
  boards?: BoardLayout;
}

function digestWith({ is_agreed = true, boards = board, ...differs }: Sending = {}) {
  const { runner, ran } = fake(differs);
  const wanted = digest({
    ...{ owner: 'olga@example.com', content: ['board/b1'], channels: [{ kind: 'folder' }], when_incomplete: 'stamp' },
    ...differs.digest,
  });
  const deps = digestDeps(engine, [wanted], {
    ...('runner' in differs ? {} : { queries: runner }),
    board: () => boards,
    folder: mkdtempSync(join(folder, 'sent-')),
  });
  if (is_agreed) deps.store.save(wanted, monday - 3600, { is_agreed: true });
  return { deps, ran, wanted };
}

async function documentOf(sending: Sending = {}): Promise<DigestDocument> {
  const { deps } = digestWith(sending);
  await round(deps);
  return (await again(deps, key)).document;
}
const queriesIn = ({ sections }: DigestDocument) => sections.flatMap(({ queries = [] }) => queries);
const whyNot = async (sending: Sending) => {
  const document = await documentOf(sending);
  return queriesIn(document).map(({ nothing }) => nothing ?? '')[0];
};

/** Names of the CSV files with what stands in them. */
const csvIn = (bytes: Uint8Array): [name: string, text: string][] =>
  Object.entries(unzipSync(bytes)).map(([name, text]) => [name, Buffer.from(text).toString()]);

describe('a digest of a board with a saved query', () => {
  it('runs it as its owner on the snapshot that it pins, with the days of the report, and has its rows', async () => {
    const { deps, ran } = digestWith();
    await round(deps);
    expect(ran).toEqual([
      {
        parameters: { from: '2026-05-04', to: '2026-05-10', limit: 5 },
        snapshot: '20260511-065500-000',
        about: 'digest week 2026-W19',
      },
    ]);
    const written = folderOf(deps.folder, { ...key, reader: { name: 'ann' } });
    const [file = ''] = readdirSync(written).filter((name) => name.endsWith('.zip'));
    const files = csvIn(readFileSync(join(written, file)));
    expect(files.find(([name]) => name.includes('query'))).toEqual([
      '2-query-chats-by-hand-ac2439.csv',
      "\ufeffword,count\r\na,1\r\n'=b,\r\n",
    ]);
    const { document } = await again(deps, key);
    expect(document.stamps).toEqual([]);
    expect(queriesIn(document)).toMatchObject([
      {
        title: 'Chats by hand',
        sentence: 'By Ann, not a defined metric. Period of this document. Its own limit: 5.',
        short: '2 rows, in the files',
      },
    ]);
    expect(wordsOf(document, null).queries).toEqual([
      { title: 'Chats by hand', text: '2 rows, in the files', mark: 'By Ann, not a defined metric' },
    ]);
  });

  it('says in the mail what each query gives', async () => {
    const document = await documentOf({ outcome: table([[42]], ['chats']) });
    const letter = {
      ...{ digest: 'week', period: '2026-W19', reader: { name: 'ann' }, files: [], message_id: '<x@y>', linkTo: null },
      ...wordsOf(document, null),
    };
    const text = textOf(letter, { links: [], part: null, unsubscribe: 'ledger@example.com' });
    expect(text).toContain('SAVED QUERIES\nChats by hand: 42 (By Ann, not a defined metric)\n');
  });

  it('is the same when it is made again, whatever the query would say by then', async () => {
    const answers = [two, table([['other', 9]])];
    const { deps } = digestWith();
    const { runner } = fake();
    deps.queries = { ...runner, run: () => Promise.resolve(answers.shift() ?? two), find: () => undefined };
    deps.queries.find = runner.find;
    await round(deps);
    const [first, second] = [await again(deps, key), await again(deps, key)];
    expect(first.files).toEqual(second.files);
    expect(queriesIn(second.document)[0]?.result?.rows).toEqual([
      ['a', 1],
      ['=b', null],
    ]);
    // An erasure removes what is kept: it is run again, on a snapshot without the person.
    rmSync(join(deps.folder, results_folder), { recursive: true });
    expect(queriesIn((await again(deps, key)).document)[0]?.result?.rows).toEqual([['other', 9]]);
    await forgetResults(deps.folder, Date.now() - 60_000);
    expect(readdirSync(join(deps.folder, results_folder))).toHaveLength(1);
    await forgetResults(deps.folder, Date.now() + 60_000);
    expect(readdirSync(join(deps.folder, results_folder))).toEqual([]);
  });

  it.each(['', 'no longer packed'])('runs it again where the file of its answer is damaged (%j)', async (content) => {
    const { deps } = digestWith();
    const { runner } = fake();
    deps.queries = runner;
    await round(deps);
    const kept = join(deps.folder, results_folder);
    const [name = ''] = readdirSync(kept);
    writeFileSync(join(kept, name), content);
    const rows = queriesIn((await again(deps, key)).document)[0]?.result?.rows;
    expect(rows?.length).toBeGreaterThan(0);
    expect(readdirSync(kept)).toEqual([name]);
    expect(readFileSync(join(kept, name)).length).toBeGreaterThan(content.length);
  });

  it('keeps no answer that came while an erasure removed the others', async () => {
    const { deps } = digestWith();
    const { runner } = fake();
    const kept = join(deps.folder, results_folder);
    const run: QueryRunner['run'] = (order) => {
      rmSync(kept, { recursive: true });
      return runner.run(order);
    };
    deps.queries = { ...runner, run };
    await round(deps);
    expect(deps.store.ledger.find(key)?.state).toBe('sent');
    expect(readdirSync(deps.folder)).not.toContain(results_folder);
  });
});

describe('it leaves the query out and says why', () => {
  const left = 'Left out of this document: ';
  const runsAs = `${left}a saved query runs as the owner of the digest, `;
  it.each<[string, Sending, string]>([
    ['where nobody answers SQL', { runner: undefined }, `${left}this program answers no SQL.`],
    ['without an owner', { askerOf: () => 'no_owner' }, `${runsAs.slice(0, -2)}, and the digest has none.`],
    [
      'that somebody who may not run SQL has changed',
      { is_agreed: false },
      `${left}somebody who may not run SQL has changed what goes to whom in this digest. An admin has to save it again.`,
    ],
    ['whose owner is gone', { askerOf: () => 'owner_gone' }, `${runsAs}who is not a user any more.`],
    [
      'whose owner may not run SQL any more',
      { askerOf: () => 'owner_refused' },
      `${runsAs}who may not run SQL or does not see every account, agent and name.`,
    ],
    [
      'that was deleted or is not shared any more',
      { seen: undefined },
      `${left}this query was deleted, or is not shared any more with those who do not own it.`,
    ],
    ['while too many run', { outcome: { kind: 'busy' } }, 'The query was not run: too many others ran or waited.'],
    [
      'that is wrong or takes too long',
      {
        outcome: {
          kind: 'wrong',
          message: 'it was stopped at the limit of 30 s for your role (analyst): ask for less',
        },
      },
      'The query gave no answer: it was stopped at the limit of 30 s for your role (analyst): ask for less',
    ],
    ['without rows', { outcome: table([]) }, 'The query gives no rows.'],
  ])('%s', async (_, sending, why) => {
    expect(await whyNot(sending)).toBe(why);
  });

  it.each([
    ['with a row rule', { hides_agents: true as const }],
    ['whom the digest narrows to a group', { groups: [2] }],
  ])('for a reader %s', (_, rows) => {
    const { runner } = fake();
    const orders = ordersOfDigest(runner, [board], { owner: 'olga@example.com', is_agreed: true }, { id: 'r', rows });
    const [shown] = shownQueries([{ order: orders[0] as QueryOrder }], { names: {}, locale: 'en-GB' });
    expect(shown?.nothing).toBe(
      `${left}its reader does not see every account, agent and name, and a saved query is not narrowed to what a reader may see.`,
    );
  });

  it('and runs no more of them once they took five minutes', async () => {
    const panels = ['q1', 'q2', 'q3'].map((name) => ({ panel: queryPanel(name), size: 'half' as const }));
    const { deps } = digestWith({ boards: { ...board, panels } });
    const { runner } = fake();
    const run: QueryRunner['run'] = (order) => {
      deps.now += 200;
      return runner.run(order);
    };
    deps.queries = { ...runner, run, find: () => saved };
    deps.store.save(
      { ...digest(), content: ['board/b1'], channels: [{ kind: 'folder' }], when_incomplete: 'stamp' },
      deps.now,
      { is_agreed: true },
    );
    const distinct = ['q1', 'q2', 'q3'].values();
    deps.queries.find = () => ({ ...saved, statement: `${saved.statement} -- ${distinct.next().value}` });
    await round(deps);
    const nothing = queriesIn((await again(deps, key)).document).map((query) => query.nothing ?? '');
    expect(nothing.slice(0, 2)).toEqual(['', '']);
    expect(nothing[2]).toBe('The query was not run: those before it in this document took more than five minutes.');
  });
});

it('a digest is agreed to by who may run SQL, until somebody else changes what goes to whom', () => {
  const { deps, wanted } = digestWith();
  const { store } = deps;
  const isAgreed = () => store.find('week')?.is_agreed;
  expect(isAgreed()).toBe(true);
  store.save({ ...wanted, is_paused: true, title: 'Other' }, monday);
  expect(isAgreed()).toBe(true);
  store.save({ ...wanted, readers: [...wanted.readers, { name: 'eve' }] }, monday);
  expect(isAgreed()).toBe(false);
  store.save(wanted, monday, { is_agreed: true });
  expect(isAgreed()).toBe(true);
});

describe('on paper', () => {
  interface Page {
    stamps: string[];
    sections: {
      queries: {
        panels: { title: string; nothing: string | null; charts: object[] }[];
        result: { columns: { title: string; isNumeric: boolean }[]; rows: string[][]; notes: string[] } | null;
      }[];
    }[];
  }
  const pageOf = async (sending: Sending): Promise<Page> =>
    JSON.parse(pagesOf(await documentOf(sending)).get('/document.json') ?? '') as Page;

  it('a result has its first rows and the columns that fit, long texts cut, and says what is in the files', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `column_${at}`);
    const rows = Array.from({ length: 5000 }, (_, row) => names.map((_, at) => (at === 0 ? 'x'.repeat(500) : row)));
    const [result] = (await pageOf({ outcome: table(rows, names, true) })).sections.flatMap(({ queries }) =>
      queries.map((run) => run.result),
    );
    expect(result?.rows).toHaveLength(30);
    expect(result?.columns.slice(0, 2)).toMatchObject([
      { title: 'column_0', isNumeric: false },
      { title: 'column_1', isNumeric: true },
    ]);
    const shown = result?.columns.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThan(12);
    expect(result?.rows[0]?.[0]?.replaceAll('\u200b', '')).toBe(`${'x'.repeat(90)}…`);
    expect(result?.notes).toEqual([
      '4,970 more rows are in the CSV and Excel files of this query.',
      `${25 - shown} more columns are in the CSV and Excel files: ${names.slice(shown, shown + 12).join(', ')}, …`,
      'Only the first 5,000 rows were read, the limit of whoever it runs as.',
    ]);
  });

  it('a saved chart is drawn, and one without an answer has its reason in its place', async () => {
    const chart = { kind: 'bar' as const, x: 'word', y: ['count'], split: null };
    const drawn = await pageOf({ seen: { ...saved, chart } });
    const [panel] = drawn.sections[0]?.queries[0]?.panels ?? [];
    expect(panel).toMatchObject({ title: 'Chats by hand', nothing: null });
    expect(panel?.charts).toHaveLength(1);
    const failed = await pageOf({ outcome: { kind: 'wrong', message: 'no such table' } });
    expect(failed.sections[0]?.queries[0]?.panels[0]).toMatchObject({
      ...{ title: 'Chats by hand', nothing: 'The query gave no answer: no such table', charts: [] },
    });
  });

  it('a document of two pages says that it has no room for it', async () => {
    const { stamps } = await pageOf({ digest: { length: 'short' } });
    expect(stamps).toEqual([
      'A saved query has no place in a document of two pages: its rows are in the CSV and Excel files.',
    ]);
  });
});
