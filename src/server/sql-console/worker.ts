// The process of one statement: gets it over IPC, answers or writes a file, and ends.
import type { SqlFileFormat } from '#api/contract/sql.ts';
import type { PackedFile } from '#api/deps.ts';
import { ask, type ConsoleAnswer, type ConsoleLimits } from '#warehouse/engines/console.ts';
import { ConsoleError, type Exceeded } from '#warehouse/engines/console-error.ts';
import type { ParameterValues } from '#warehouse/engines/console-parameters.ts';
import { endWithParent } from '../ipc.ts';
import { replacedWords } from './limits.ts';

export interface StatementOrder {
  file: string | PackedFile;
  statement: string;
  parameters: ParameterValues;
  limits: ConsoleLimits;
  /** All rows go into this file, which is not there yet; `bytes`: its size at most, `dated`: an ISO instant. */
  to?: { path: string; format: SqlFileFormat; bytes: number; dated: string };
}

export type StatementOutcome =
  | { answer: ConsoleAnswer; milliseconds: number }
  | { written: number }
  | { wrong: string; place: ConsoleError['place']; parameters: readonly string[] };

/** It would go beyond a limit, which whoever set it puts into words. */
export interface ExceededOutcome {
  exceeded: Exceeded;
}

endWithParent();
const order = await new Promise<StatementOrder>((resolve) =>
  process.once('message', (message) => resolve(message as StatementOrder)),
);
const began = performance.now();

/** What is read is a file of its own, so that no statement reaches a part. */
async function wholeOf(file: StatementOrder['file']): Promise<string> {
  if (typeof file === 'string') return file;
  const { unpack } = await import('#warehouse/store/packed/unpack.ts');
  await unpack(file.packed, file.whole);
  return file.whole;
}

async function outcomeOf(order: StatementOrder): Promise<StatementOutcome> {
  const { statement, parameters, limits, to } = order;
  const file = await wholeOf(order.file);
  if (!to) {
    const answer = await ask(file, statement, limits, parameters);
    return { answer, milliseconds: Math.round(performance.now() - began) };
  }
  const { writeRows } = await import('./files.ts');
  return { written: await writeRows({ file, statement, parameters, limits, to }) };
}

const outcome = await outcomeOf(order).catch((error: unknown): StatementOutcome | ExceededOutcome => {
  if (error instanceof ConsoleError && error.exceeded) return { exceeded: error.exceeded };
  if (error instanceof ConsoleError) return { wrong: error.message, place: error.place, parameters: error.parameters };
  // The file does not open; the engine's message has its path, which is for nobody.
  return { wrong: replacedWords, place: null, parameters: [] };
});
process.send?.(outcome, undefined, {}, () => process.exit());
