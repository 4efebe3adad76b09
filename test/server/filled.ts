// An account of a few days that stands still, and a data folder that one pull has filled from it.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '#service/service.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { madeOnce } from '../made-once.ts';
import { newFolder, runToEnd, type Ended } from './program.ts';
import { dayBefore, stillAt } from './still.ts';

const key = 'ef'.repeat(16);
export const only = ['--only', 'archive,total_chats,goals,chat_ranking'];

export interface Filled {
  service: Service;
  /** What one pull of `only` has left: to be copied. */
  folder: string;
  settings: () => Record<string, string>;
  /** The command line in a working folder. */
  command: (folder: string, ...words: string[]) => Promise<Ended>;
}

export async function filledFolder(): Promise<Filled> {
  const made = await madeOnce('filled', async (folder) => {
    const service = await serve(join(folder, 'service'));
    mkdirSync(join(folder, 'pulled'));
    const pulled = await runToEnd(['pull', ...only], settingsFor(service), join(folder, 'pulled'));
    await service.close();
    if (pulled.code !== 0 || pulled.complained !== '') throw new Error(`${pulled.code}: ${pulled.complained}`);
  });
  const own = newFolder();
  cpSync(join(made, 'service'), own, { recursive: true });
  const service = await serve(own);
  const settings = (): Record<string, string> => settingsFor(service);
  const command = (folder: string, ...words: string[]): Promise<Ended> => runToEnd(words, settings(), folder);
  return { service, folder: join(made, 'pulled'), settings, command };
}

function serve(folder: string): Promise<Service> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 's.sqlite');
  return startService({ file, days: 8, port: 0, apiKey: key, clock: () => stillAt, world: thirdOfSmallWorld });
}

const settingsFor = ({ url }: Service): Record<string, string> => ({
  CHATLEDGER_BASE_URL: url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
  CHATLEDGER_REQUESTS_PER_SECOND: '1000',
  CHATLEDGER_SINCE: dayBefore(6),
});
