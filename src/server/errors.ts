// What the command line says when it cannot go on: one sentence, and the exit code that INTERFACE.md promises.

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
