// CHATLEDGER_WAREHOUSE_ACCOUNTS: what goes together with it and what does not, and the commands that a folder without a pull refuses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, readEnvironment } from '#server/config.ts';
import { newFolder, runToEnd } from './program.ts';

const all = { CHATLEDGER_WAREHOUSE: 'clickhouse://ann@127.0.0.1:1/ledger', CHATLEDGER_WAREHOUSE_ACCOUNTS: 'all' };
const read = (settings: Record<string, string>, at = newFolder()) => readConfig(readEnvironment(settings, at));

describe('whose accounts readers see', () => {
  it('are those of the folder, or all of a database', () => {
    expect([read({}).reads_all, read(all).reads_all]).toEqual([false, true]);
    expect(read({ ...all, CHATLEDGER_WAREHOUSE_ACCOUNTS: 'own' }).reads_all).toBe(false);
    // As in the image.
    expect(read({ ...all, CHATLEDGER_EMBEDDED_SERVICE: 'off' }).reads_all).toBe(true);
    const hosts = read({ ...all, CHATLEDGER_WAREHOUSE: 'clickhouse://ann@one,two/ledger' });
    expect([hosts.reads_all, hosts.database?.length]).toEqual([true, 2]);
  });

  it.each([
    ['no database', { CHATLEDGER_WAREHOUSE: '' }, 'is of no use without CHATLEDGER_WAREHOUSE'],
    ['another word', { CHATLEDGER_WAREHOUSE_ACCOUNTS: 'acme' }, 'must be own or all'],
    [
      'an account to pull',
      { CHATLEDGER_BASE_URL: 'https://chat.example.com', CHATLEDGER_TOKEN: 't' },
      'CHATLEDGER_BASE_URL is for a data folder that pulls',
    ],
    ['a file of hours', { CHATLEDGER_BUSINESS_HOURS: 'hours.json' }, 'CHATLEDGER_BUSINESS_HOURS is for a data folder'],
  ])('%s: is refused', (_, settings, sentence) => {
    expect(() => read({ ...all, ...settings })).toThrow(sentence);
  });

  it('a chatledger.json: is refused', () => {
    const at = newFolder();
    const account = { id: 'acme', base_url: 'https://chat.example.com', token_env: 'ACME' };
    writeFileSync(join(at, 'chatledger.json'), JSON.stringify({ accounts: [account] }));
    expect(() => read({ ...all, ACME: 't' }, at)).toThrow('chatledger.json is for a data folder that pulls');
  });

  it('an admin is added also while the database does not answer, and whoever sees a part is not', async () => {
    const folder = newFolder();
    const admin = await runToEnd(['user', 'add', 'a@example.com', '--role', 'admin'], all, folder);
    expect([admin.code, admin.complained]).toEqual([0, '']);
    const part = await runToEnd(['user', 'add', 'b@example.com', '--groups', '1'], all, folder);
    expect([part.code, part.complained]).toEqual([3, expect.stringContaining('does not answer')]);
  });

  it('commands about what was pulled are refused, before they touch anything', async () => {
    const ended = await runToEnd(['pull'], all, newFolder());
    expect([ended.code, ended.complained]).toEqual([
      2,
      expect.stringMatching(
        /^chatledger: 'pull' is for a data folder that pulls its accounts; .*'npx chatledger serve' here/,
      ),
    ]);
  });
});
