// Who is let in by the command line sees something: what does not exist is refused with what does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filledFolder, type Filled } from './filled.ts';
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
  [['role', 'vic@example.com', '--give', 'sing'], 'extra_rights: must be one of agents:read, '],
])('%j', async (words, sentence) => {
  const { code, complained } = await filled.command(folder, 'user', ...words);
  expect([code, complained]).toEqual([2, expect.stringContaining(`chatledger: ${sentence}`)]);
  const { said } = await filled.command(folder, 'user', 'list', '--json');
  const { users } = JSON.parse(said) as { users: { email: string; role: string; rows: object }[] };
  expect(users.map(({ email, role, rows }) => [email, role, rows])).toEqual([
    ['admin@example.com', 'admin', {}],
    ['vic@example.com', 'viewer', { accounts: ['default'], groups: [1] }],
  ]);
});
