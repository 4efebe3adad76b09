// A digest of chats of some values of a declared variable: what it counts, what it says of it, and what it refuses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestQuestions, documentContext } from '#digests/digest-questions.ts';
import { digestDocument, type DigestDocument } from '#digests/document.ts';
import { digestFrom, NotADigest } from '#digests/digest.ts';
import { rangeOf } from '#digests/periods.ts';
import { sheetsOf } from '#digests/tables/sheets.ts';
import type { Store } from '#warehouse/engine.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { account, type Chat } from '../warehouse/account.ts';

const folder = mkdtempSync(join(tmpdir(), 'digest-variables-'));
const chats = ['pro', 'pro', 'pro', 'free', 'free', 'free', 'free', 'ann@x.test'].map((value, at): Chat => ({
  ...{ start: `2026-05-05T1${at}:00:00Z`, visitor: `V${at}`, variables: new Map([['plan', value]]) },
}));
let engine: Store;

beforeAll(async () => {
  const writer = await account(chats, 'UTC');
  await setVariables(writer, 'default', [{ id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' }]);
  engine = await openWarehouse((await publish(writer, folder, Date.parse('2026-05-13T09:00:00Z'))).file, {
    readOnly: true,
  });
  await writer.close();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function document(variable: string[], more: object = {}): Promise<DigestDocument> {
  const snapshot = { id: 's1', published_at: '2026-05-13T09:00:00.000Z', engine };
  const context = await documentContext(localReader, snapshot, { id: 'default', timezone: 'UTC', since: '2026-05-01' });
  const filters = { group: [], agent: [], tag: [], variable };
  const asking = await digestQuestions(context, {
    period: rangeOf('2026-05-05', '2026-05-05'),
    timezone: 'UTC',
    filters,
  });
  const order = { title: 'Plans', language: 'en-GB', paper: 'a4', content: ['chats'], stamps: [] } as const;
  return digestDocument(asking, { ...order, ...more });
}
const chatsIn = ({ keyFigures }: DigestDocument): unknown =>
  keyFigures.find(({ title }) => title === 'Chats')?.figures[0]?.text;

it('counts chats of the chosen values, and says which they are', async () => {
  const made = await Promise.all([document(['plan:pro']), document(['plan:pro', 'plan:free']), document([])]);
  expect(made.map(chatsIn)).toEqual(['3', '7', '8']);
  expect(made.map(({ cover }) => cover.filters)).toEqual(['Plan pro', 'Plan pro, free', 'all chats']);
  expect(made[0]?.clear.every(({ path = '' }) => !path || path.includes('variable=plan%3Apro'))).toBe(true);
});

it('splits a panel by the variable; its table is headed by the title', async () => {
  const made = await document([], { split: ['volume.variable:plan'] });
  const sheet = sheetsOf(made).find(({ title }) => title === 'Chats over time, by Plan');
  expect(sheet?.columns.slice(0, 3)).toEqual(['period', 'Plan', 'chats']);
  const of = (name: string): number =>
    (sheet?.rows ?? []).reduce((sum, [, value, count]) => sum + (value === name ? Number(count) : 0), 0);
  expect(['pro', 'free', 'Other'].map(of)).toEqual([3, 4, 1]);
});

it('refuses what is no variable and value; one that was kept before narrows by none', () => {
  const digest = {
    ...{ id: 'week', title: 'Week', content: ['overview'], period: 'last_week', formats: ['pdf'] },
    ...{ schedule: { cron: '0 7 * * 1', timezone: 'UTC' }, readers: [{ name: 'Ann' }], channels: [{ kind: 'folder' }] },
  };
  expect(digestFrom({ ...digest, filters: { group: [2], agent: [], tag: [] } }).filters.variable).toEqual([]);
  expect(digestFrom({ ...digest, filters: { variable: ['plan:pro'] } }).filters.variable).toEqual(['plan:pro']);
  expect(() => digestFrom({ ...digest, filters: { variable: ['pro'] } })).toThrow(NotADigest);
  expect(() => digestFrom({ ...digest, filters: { variable: ['pro'] } })).toThrow(
    /filters\.variable\.0: must be a variable and a value/,
  );
});
