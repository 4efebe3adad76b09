// Secrets in files: NAME_FILE instead of NAME, and each way in which that can be wrong.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig, readEnvironment, secretsIn } from '#server/config.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string, name = 'secret'): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
const read = (env: Record<string, string>) => readConfig(readEnvironment(env, folder));

it('a secret may stand in a file, with one line break after it or none', () => {
  expect(read({ CHATLEDGER_API_TOKEN_FILE: fileWith('s3cret\n') }).api_token).toBe('s3cret');
  expect(read({ CHATLEDGER_API_TOKEN_FILE: fileWith(' s3cret ') }).api_token).toBe(' s3cret ');
  const { readings } = readEnvironment({ CHATLEDGER_API_TOKEN_FILE: fileWith('s3cret') }, folder);
  expect(readings.find(({ name }) => name === 'CHATLEDGER_API_TOKEN')).toMatchObject({ source: 'file' });
});

it('and so may those that chatledger.json names', () => {
  const account = { id: 'eu', base_url: 'http://127.0.0.1:1', timezone: 'UTC', token_env: 'EU_TOKEN' };
  fileWith(JSON.stringify({ accounts: [account] }), 'chatledger.json');
  expect(read({ EU_TOKEN_FILE: fileWith('dal:abc') }).accounts[0].remote?.authorization).toBe('Bearer dal:abc');
  expect(() => read({})).toThrow('the environment variable EU_TOKEN is not set');
});

it('what is wrong with a file stops the start with a sentence that does not hold the secret', () => {
  const stops = (env: Record<string, string>, ...words: string[]) => {
    try {
      read(env);
    } catch (error) {
      for (const word of words) expect(String(error)).toContain(word);
      expect(String(error)).not.toContain('s3cret');
      return;
    }
    throw new Error(`nothing was said about ${Object.keys(env).join(' ')}`);
  };
  const file = fileWith('s3cret');
  stops({ CHATLEDGER_API_TOKEN: 'other', CHATLEDGER_API_TOKEN_FILE: file }, 'CHATLEDGER_API_TOKEN_FILE', 'keep one');
  fileWith('CHATLEDGER_API_TOKEN=other\n', '.env');
  stops({ CHATLEDGER_API_TOKEN_FILE: file }, 'stands besides CHATLEDGER_API_TOKEN');
  rmSync(join(folder, '.env'));
  stops({ CHATLEDGER_API_TOKEN_FILE: join(folder, 'missing') }, 'cannot be read (ENOENT)');
  stops({ CHATLEDGER_API_TOKEN_FILE: fileWith('') }, 'is empty');
  stops({ CHATLEDGER_API_TOKEN_FILE: fileWith('s3cret\nmore\n') }, 'several lines');
  mkdirSync(join(folder, 'inner'));
  stops({ CHATLEDGER_API_TOKEN_FILE: join(folder, 'inner') }, 'is no file');
  stops({ CHATLEDGER_API_TOKEN_FILE: fileWith('s3cret'.repeat(20_000)) }, 'is longer than');
  stops({ CHATLEDGER_API_TOKEN_FILE: 's3cret itself' }, 'cannot be read (ENOENT)');
  stops({ CHATLEDGER_PORT_FILE: file }, 'CHATLEDGER_PORT_FILE is no setting');
  chmodSync(file, 0);
  if (process.getuid?.() !== 0) stops({ CHATLEDGER_API_TOKEN_FILE: file }, 'EACCES');
});

it('the password of a database stands in its address, in a variable or in a file, and in one of them', () => {
  const address = 'clickhouse://ann@127.0.0.1/ledger';
  const file = fileWith('s3cret\n');
  expect(read({ CHATLEDGER_WAREHOUSE: address, CHATLEDGER_WAREHOUSE_PASSWORD_FILE: file }).database).toEqual([
    { url: 'http://127.0.0.1:8123', username: 'ann', password: 's3cret', database: 'ledger' },
  ]);
  expect(read({}).database).toBeNull();
  expect(() => read({ CHATLEDGER_WAREHOUSE_PASSWORD_FILE: file })).toThrow('of no use without CHATLEDGER_WAREHOUSE');
  const both = { CHATLEDGER_WAREHOUSE: 'clickhouse://ann:s%203cret@127.0.0.1/ledger' };
  expect(() => read({ ...both, CHATLEDGER_WAREHOUSE_PASSWORD: 'other' })).toThrow('has a password too');
  const several = { CHATLEDGER_WAREHOUSE: 'clickhouse://ann:s%203cret@one:8123,two/ledger' };
  expect(() => read({ ...several, CHATLEDGER_WAREHOUSE_PASSWORD: 'other' })).toThrow('has a password too');
  expect(secretsIn(readEnvironment(several, folder))).toEqual(expect.arrayContaining(['s 3cret', 's%203cret']));
  expect(secretsIn(readEnvironment(both, folder))).toEqual(expect.arrayContaining(['s 3cret', 's%203cret']));
});
