// Simulated and real chats never stand in one account: the first start of a folder fixes where they come from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixOrigins } from '#server/account-origin.ts';
import { warehouseAccounts } from '#server/accounts.ts';
import { readConfig, readEnvironment, type Config } from '#server/config.ts';
import { openFolder } from '#server/folder.ts';
import { newFolder } from './program.ts';

const real = { CHATLEDGER_BASE_URL: 'https://chat.example', CHATLEDGER_TOKEN: 'dal:secret' };
const config = (settings: Record<string, string>, at = newFolder()): Config =>
  readConfig(readEnvironment(settings, at));

/** Starts one after the other in one data folder; what the last is refused with, and whether its account is simulated. */
function startsIn(...starts: Config[]): { refused: string | undefined; simulated: (boolean | undefined)[] } {
  const path = newFolder();
  let refused: string | undefined;
  let simulated: (boolean | undefined)[] = [];
  for (const each of starts) {
    const folder = openFolder(path);
    refused = undefined;
    try {
      fixOrigins(each, folder);
    } catch (error) {
      refused = (error as Error).message.replaceAll(path, 'FOLDER');
    }
    simulated = warehouseAccounts(each, folder).map((account) => account.simulated);
  }
  return { refused, simulated };
}

test('an account that is configured after the simulated one needs a folder of its own', () => {
  expect(startsIn(config({}), config(real))).toEqual({
    refused:
      'FOLDER holds chats of the simulated account under the name default: set CHATLEDGER_DATA to a new folder for the account of CHATLEDGER_BASE_URL',
    // What is there stays simulated, whatever the settings say.
    simulated: [true],
  });
});

test('a folder of an account never gets simulated chats because its settings are gone', () => {
  const { refused, simulated } = startsIn(config(real), config({}));
  expect(refused).toMatch(
    /^FOLDER holds chats of a real account under the name default, and no account is configured: /,
  );
  expect(simulated).toEqual([false]);
});

test('the same source again, and accounts of other names, are nothing to refuse', () => {
  expect(startsIn(config({}), config({}))).toEqual({ refused: undefined, simulated: [true] });
  expect(startsIn(config(real), config({ ...real, CHATLEDGER_BASE_URL: 'https://moved.example' }))).toEqual({
    refused: undefined,
    simulated: [false],
  });
  const at = newFolder();
  const account = { id: 'shop', base_url: 'https://chat.example', token_env: 'SHOP_TOKEN' };
  writeFileSync(join(at, 'chatledger.json'), JSON.stringify({ accounts: [account] }));
  expect(startsIn(config({}), config({ SHOP_TOKEN: 'dal:secret' }, at))).toEqual({
    refused: undefined,
    simulated: [false],
  });
});

test('where the embedded service is off, nothing starts without an account', () => {
  expect(() => config({ CHATLEDGER_EMBEDDED_SERVICE: 'off' })).toThrow(
    'CHATLEDGER_EMBEDDED_SERVICE=off leaves no account: set CHATLEDGER_BASE_URL',
  );
  expect(() => config({ CHATLEDGER_EMBEDDED_SERVICE: 'no' })).toThrow('must be on or off');
  expect(config({ ...real, CHATLEDGER_EMBEDDED_SERVICE: 'off' }).accounts).toHaveLength(1);
});
