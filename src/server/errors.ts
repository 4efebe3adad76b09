// What the command line says when it cannot go on: one sentence, and the exit code that INTERFACE.md promises.

import { BlockedWarehouse, BusyWarehouse, DamagedWarehouse, NewerWarehouse } from '#warehouse/errors.ts';

export const exitCodes = { done: 0, failed: 1, misused: 2, unreachable: 3 } as const;

/** A sentence for the operator: what, where, and what to do. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly code: number;
  constructor(message: string, code: number = exitCodes.misused) {
    super(message);
    this.code = code;
  }
}

/**
 * What the warehouse says of its own files, as a sentence with what to do; anything else is a mistake of the program.
 * `folder`: the data folder, where the error does not name a file.
 */
export function stoppedByFile(error: unknown, folder?: string): Stopped | undefined {
  if (error instanceof BusyWarehouse) return new Stopped(busySentence(error));
  if (error instanceof BlockedWarehouse || isBlocked(error))
    return new Stopped(blockedSentence(error, folder), exitCodes.failed);
  if (error instanceof NewerWarehouse) return new Stopped(error.message, exitCodes.failed);
  if (error instanceof DamagedWarehouse)
    return new Stopped(`${error.message}: the next pull sets it aside and makes it anew`, exitCodes.failed);
  return undefined;
}

/** Never two pulls at once: the file that is locked says by whom. */
function busySentence({ message }: Error): string {
  const [, pid] = /\bPID (\d+)/.exec(message) ?? [];
  const who = pid === undefined ? 'another process' : `another process (${pid})`;
  const [file] = message.split(' is in use');
  return `${who} is writing to ${file}: wait until it is done, or stop it; nothing was changed`;
}

const blocking = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM']);
const isBlocked = (error: unknown): error is Error =>
  error instanceof Error && blocking.has((error as NodeJS.ErrnoException).code ?? '');

const remedies: readonly (readonly [RegExp, string])[] = [
  [/no space|quota|too large|ENOSPC|EDQUOT|EFBIG/i, 'the disk is full: free some space'],
  [/is a directory|EISDIR/i, 'a folder lies where this file belongs: move it away'],
  [/memory|allocate|pin block/i, 'there is not enough memory: give the program more'],
  [/open files/i, 'raise the limit of open files'],
  [/newer version/i, 'update the program'],
];

function blockedSentence({ message }: Error, folder?: string): string {
  const [, remedy] = remedies.find(([said]) => said.test(message)) ?? [];
  const what = remedy ?? 'make the data folder writable for this user';
  const where = folder === undefined || message.includes(folder) ? '' : ` in ${folder}`;
  return `${message}${where}: ${what}; what was there is intact, and the next pull goes on from it`;
}
