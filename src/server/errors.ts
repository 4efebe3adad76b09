// Errors of the command line: one sentence, and the exit code documented in the README.
import { inspect } from 'node:util';
import type { SettingName } from './settings.ts';
import {
  BlockedWarehouse,
  BusyWarehouse,
  DamagedWarehouse,
  LeasedAccount,
  NewerWarehouse,
  UnreachableWarehouse,
} from '#warehouse/errors.ts';

export const exitCodes = { done: 0, failed: 1, misused: 2, unreachable: 3 } as const;

/** A sentence for the operator: what, where, and what to do; or several, one per line. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly code: number;
  readonly lines: readonly string[];
  constructor(message: string | readonly string[], code: number = exitCodes.misused) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'));
    this.lines = lines;
    this.code = code;
  }
}

/** What ends a command, when it can be said in a sentence; anything else is a mistake of the program. */
export const stoppedBy = (error: unknown): Stopped | undefined =>
  error instanceof Stopped ? error : stoppedByFile(error);

/**
 * Turns a warehouse error about its files into a sentence with a remedy; other errors are bugs. `folder`: the data folder, for errors
 * that do not name a file; `after`: what is done once there is room.
 */
export function stoppedByFile(error: unknown, folder?: string, after = afterPull): Stopped | undefined {
  if (error instanceof UnreachableWarehouse)
    return new Stopped(`${error.message}: ${databaseRemedy}`, exitCodes.unreachable);
  if (error instanceof LeasedAccount) return new Stopped(`${error.message}: ${leaseRemedy}`);
  if (error instanceof BusyWarehouse) return new Stopped(busySentence(error));
  if (error instanceof BlockedWarehouse || isBlocked(error))
    return new Stopped(blockedSentence(error, folder, after), exitCodes.failed);
  if (error instanceof NewerWarehouse) return new Stopped(error.message, exitCodes.failed);
  if (error instanceof DamagedWarehouse)
    return new Stopped(`${error.message}: the next pull sets it aside and makes it anew`, exitCodes.failed);
  return undefined;
}

const databaseRemedy =
  'look at CHATLEDGER_WAREHOUSE and at the server; the data folder is intact, and the next publication brings the database what it lacks';

const leaseRemedy =
  'take the account out of one of the two folders, or end the other one, which gives it back then; one that is gone loses it at that time. The data ' +
  'folder is intact, and readers stay at the snapshot that they have';

/** Why an address cannot be listened on. `whose`: the setting to change. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number, whose: SettingName): unknown {
  const remedy = listening[error.code ?? ''];
  return remedy === undefined ? error : new Stopped(`port ${port} on ${host} ${remedy}, or set ${whose}`);
}

const listening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there',
  EACCES: 'is not open to this user: choose one from 1024',
  EADDRNOTAVAIL: 'cannot be listened on, this machine has no such address: choose 127.0.0.1',
  EAFNOSUPPORT: 'cannot be listened on, this machine has no such addresses: choose 127.0.0.1',
  EAI_AGAIN: 'cannot be listened on, the name has no address just now: choose 127.0.0.1',
  ENOTFOUND: 'cannot be listened on, the name has no address: choose 127.0.0.1',
};

/** Turns an SQLite error about a file of this program into a sentence with a remedy. */
export function stoppedBySqlite(error: unknown, file: string): Stopped | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') return undefined;
  const { message } = error;
  if (/locked|busy/i.test(message))
    return new Stopped(`${file} is in use by another process (${message}): stop it`, exitCodes.failed);
  if (/full|disk I\/O|readonly/i.test(message))
    return new Stopped(
      `${file} cannot be written (${message}): free some space, or make it writable`,
      exitCodes.failed,
    );
  return new Stopped(
    `${file} cannot be opened (${message}): restore it from a backup, or move it away to start afresh`,
  );
}

/** For the log: a sentence where SQLite has no room for a file or may not write it, else all that is known of the error. */
export function whatFailed(error: unknown, file: string): string {
  const stopped = stoppedBySqlite(error, file);
  return stopped?.code === exitCodes.failed ? stopped.message : inspect(error);
}

/** Never two pulls at once: the locked file names the other process. */
function busySentence({ message }: Error): string {
  const [, pid] = /\bPID (\d+)/.exec(message) ?? [];
  const who = pid === undefined ? 'another process' : `another process (${pid})`;
  const [file] = message.split(' is in use');
  return `${who} is writing to ${file}: wait until it is done, or stop it; nothing was changed`;
}

const blocking = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR', 'EISDIR']);
const isBlocked = (error: unknown): error is Error =>
  error instanceof Error && blocking.has((error as NodeJS.ErrnoException).code ?? '');

const remedies: readonly (readonly [RegExp, string])[] = [
  [/no space|quota|too large|ENOSPC|EDQUOT|EFBIG/i, 'the disk is full: free some space'],
  [/is a directory|EISDIR/i, 'a folder lies where this file belongs: move it away'],
  [/EEXIST|ENOTDIR/, 'a file lies where a folder belongs: move it away'],
  [/memory|allocate|pin block/i, 'there is not enough memory: give the program more'],
  [/open files/i, 'raise the limit of open files'],
  [/newer version/i, 'update the program'],
];

const afterPull = 'the next pull goes on from it';

function blockedSentence({ message }: Error, folder: string | undefined, after: string): string {
  const [, remedy] = remedies.find(([said]) => said.test(message)) ?? [];
  const what = remedy ?? 'make the data folder writable for this user';
  const where = folder === undefined || message.includes(folder) ? '' : ` in ${folder}`;
  return `${message}${where}: ${what}; what was there is intact, and ${after}`;
}
