// Who is let in by the command line sees something: what does not exist is refused with what does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filledFolder, type Filled } from './filled.ts';
import { isWhole } from '../chance.ts';
import { copiedFolder } from './program.ts';

let filled: Filled;
let folder: string;

beforeAll(async () => {
  filled = await filledFolder();
  folder = copiedFolder(filled.folder);
  for (const words of [
    ['admin@example.com', '--role', 'admin'],
    ['vic@example.com', '--groups', '1'],
  ])
    expect(await filled.command(folder, 'user', 'add', ...words)).toMatchObject({ code: 0, complained: '' });
});
afterAll(() => filled.service.close());

test.each([
  [['add', 'nobody', '--groups', '1'], 'email: must be an e-mail address'],
  [['add', 'y@example.com', '--role', 'king'], 'role: must be one of agent, viewer, manager, analyst, admin'],
  [['add', 'y@example.com', '--groups', 'sales'], 'groups: must be the id of a group, a whole number'],
  [['add', 'y@example.com', '--groups', '1,99'], '99: no such group in default; choose from 0 ('],
  [['add', 'y@example.com', '--role', 'agent', '--agent', 'pria'], 'pria: no such agent in default; choose from '],
  [['groups', 'vic@example.com', '--groups', '77'], '77: no such group in default; choose from 0 ('],
  [['add', 'y@example.com', '--accounts', 'default,nord'], 'nord: no such account; choose from default'],
  [['role', 'vic@example.com', '--give', 'sing'], 'extra_rights: must be one of agents:read, '],
])('%j', async (words, sentence) => {
  const { code, complained } = await filled.command(folder, 'user', ...words);
  expect([code, complained]).toEqual([2, expect.stringContaining(`chatledger: ${sentence}`)]);
});

test('after all that was refused there are the same users, with the same rights', async () => {
  const { said } = await filled.command(folder, 'user', 'list', '--json');
  const { users } = JSON.parse(said) as { users: { email: string; role: string; rows: object }[] };
  expect(users.map(({ email, role, rows }) => [email, role, rows])).toEqual([
    ['admin@example.com', 'admin', {}],
    ['vic@example.com', 'viewer', { accounts: ['default'], groups: [1] }],
  ]);
});

test('whoever has a group that is listed no more keeps it beside another one, and a new one has to be listed', async () => {
  const own = copiedFolder(folder);
  const state = new DatabaseSync(join(own, 'data', 'app.sqlite'));
  state.exec(`update users set rows = replace(rows, '[1]', '[1,99]') where email = 'vic@example.com'`);
  state.close();
  const kept = await filled.command(own, 'user', 'groups', 'vic@example.com', '--groups', '0,99', '--json');
  expect([kept.code, kept.complained]).toEqual([0, '']);
  expect(JSON.parse(kept.said)).toMatchObject({ rows: { groups: [0, 99] } });
  const added = await filled.command(own, 'user', 'groups', 'vic@example.com', '--groups', '1,98,99');
  expect([added.code, added.complained]).toEqual([2, expect.stringContaining('98: no such group in default')]);
});

/** Bytes at the end of the file. */
const kept = 4 * 262_144;
test.each([
  ['is none', () => Buffer.from('not a snapshot any more '.repeat(900))],
  ['is cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
  [
    'has lost its rows',
    (whole: Buffer) =>
      Buffer.concat([whole.subarray(0, 12_288), Buffer.alloc(whole.length - 12_288 - kept), whole.subarray(-kept)]),
  ],
])(
  'whoever is added while the published file %s is let in, and a warning says what was not checked',
  async (name, damaged) => {
    const own = copiedFolder(filled.folder);
    const snapshots = join(own, 'data', 'published', 'snapshots');
    for (const name of readdirSync(snapshots).filter((file) => file.endsWith('.duckdb'))) {
      const file = join(snapshots, name);
      writeFileSync(file, damaged(readFileSync(file)));
    }
    await filled.command(own, 'user', 'add', 'admin@example.com', '--role', 'admin');
    const added = await filled.command(own, 'user', 'add', 'y@example.com', '--groups', '2,99', '--json');
    expect([added.code, added.complained]).toEqual([
      0,
      expect.stringMatching(/^chatledger: groups 2, 99 could not be checked, .+\.duckdb/),
    ]);
    expect(JSON.parse(added.said)).toMatchObject({ email: 'y@example.com', rows: { groups: [2, 99] } });
    // What the others say comes of the same look at the same file: once, and with the drill for each damage.
    if (name !== 'is none' && !isWhole) return;
    const changed = await filled.command(own, 'user', 'groups', 'y@example.com', '--groups', '3');
    expect([changed.code, changed.complained]).toEqual([0, expect.stringContaining('groups 3 could not be checked')]);
    const agent = ['z@example.com', '--role', 'agent', '--agent', 'pria', '--groups', '1'];
    expect((await filled.command(own, 'user', 'add', ...agent)).complained).toContain(
      'groups 1 and agent pria could not be checked',
    );
    // What is wrong without looking anything up is refused as ever.
    expect((await filled.command(own, 'user', 'add', 'x@example.com', '--groups', 'sales')).code).toBe(2);
  },
);
