// The process of one statement: gets it over IPC, answers, and ends.
import { ask, type ConsoleAnswer, type ConsoleLimits } from '#warehouse/engines/console.ts';
import { ConsoleError } from '#warehouse/engines/console-error.ts';
import type { ParameterValues } from '#warehouse/engines/console-parameters.ts';
import { endWithParent } from '../ipc.ts';

export interface StatementOrder {
  file: string;
  statement: string;
  parameters: ParameterValues;
  limits: ConsoleLimits;
}

export type StatementOutcome =
  | { answer: ConsoleAnswer; milliseconds: number }
  | { wrong: string; place: ConsoleError['place']; parameters: readonly string[] };

endWithParent();
const { file, statement, parameters, limits } = await new Promise<StatementOrder>((resolve) =>
  process.once('message', (order) => resolve(order as StatementOrder)),
);
const began = performance.now();
const outcome: StatementOutcome = await ask(file, statement, limits, parameters).then(
  (answer) => ({ answer, milliseconds: Math.round(performance.now() - began) }),
  (error: unknown) => {
    if (error instanceof ConsoleError)
      return { wrong: error.message, place: error.place, parameters: error.parameters };
    // The file does not open; the engine's message has its path, which is for nobody.
    return { wrong: 'the snapshot was replaced meanwhile or is damaged: ask again', place: null, parameters: [] };
  },
);
process.send?.(outcome, undefined, {}, () => process.exit());
