// What the command line says when it cannot go on: one sentence, and the exit code that INTERFACE.md promises.

import { BusyWarehouse, DamagedWarehouse, NewerWarehouse } from '#warehouse/errors.ts';

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
  if (error instanceof BusyWarehouse) return new Stopped(`another pull is writing: ${error.message}`);
  if (error instanceof NewerWarehouse) return new Stopped(error.message, exitCodes.failed);
  if (error instanceof DamagedWarehouse)
    return new Stopped(`${error.message}: move that file away, the next pull makes it anew`, exitCodes.failed);
  return undefined;
}
