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

/** What the warehouse says of its own files, as a sentence with what to do; anything else is a mistake of the program. */
export function stoppedByFile(error: unknown): Stopped | undefined {
  if (error instanceof BusyWarehouse) return new Stopped(`another process is writing: ${error.message}`);
  if (error instanceof BlockedWarehouse || isBlocked(error))
    return new Stopped(blockedSentence(error), exitCodes.failed);
  if (error instanceof NewerWarehouse) return new Stopped(error.message, exitCodes.failed);
  if (error instanceof DamagedWarehouse)
    return new Stopped(`${error.message}: the next pull sets it aside and makes it anew`, exitCodes.failed);
  return undefined;
}

const blocking = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM']);
const isBlocked = (error: unknown): error is Error =>
  error instanceof Error && blocking.has((error as NodeJS.ErrnoException).code ?? '');

const remedies: readonly (readonly [RegExp, string])[] = [
  [/no space|quota|too large|ENOSPC|EDQUOT|EFBIG/i, 'the disk is full: free some space'],
  [/memory|allocate/i, 'there is not enough memory: give the program more'],
  [/open files/i, 'raise the limit of open files'],
  [/newer version/i, 'update the program'],
];

function blockedSentence({ message }: Error): string {
  const [, remedy] = remedies.find(([said]) => said.test(message)) ?? [];
  const what = remedy ?? 'make the data folder writable for this user';
  return `${message}: ${what}; what was there is intact, and the next pull goes on from it`;
}
