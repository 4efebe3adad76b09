// Runs erasures for the pages in a separate process, which receives the person and reports its progress.
import { Declined } from '#api/errors.ts';
import type { Eraser } from '#api/deps.ts';
import type { RunningErasure } from '#api/contract/erasures.ts';
import type { Children } from './children.ts';
import { exitCodes } from './errors.ts';
import type { Message, EraseMessage } from './ipc.ts';

/** `hear` gets all other messages of the process. */
export function createEraser(children: Pick<Children, 'run'>, hear: (message: Message) => void): Eraser {
  let running: RunningErasure | null = null;
  let problem: string | null = null;

  /** The result: what was found, or why nothing was done. */
  async function ran(order: EraseMessage): Promise<{ found?: Awaited<ReturnType<Eraser['plan']>>; sentence?: string }> {
    const told: { found?: Awaited<ReturnType<Eraser['plan']>>; sentence?: string } = {};
    running = { what: 'looking for the person', done: 0, total: 1 };
    try {
      const code = await children.run(
        ['erase'],
        (message) => {
          if (message.kind === 'erasing') running = { what: message.what, done: message.done, total: message.total };
          else if (message.kind === 'erasable') told.found = message.found;
          else if (message.kind === 'stopped') told.sentence = message.sentence;
          else hear(message);
        },
        order,
      );
      if (code !== exitCodes.done) told.sentence ??= `erasing ended with exit code ${code}: the log says why`;
      return told;
    } finally {
      running = null;
    }
  }

  return {
    state: () => ({ running, problem }),
    async plan(person) {
      const { found, sentence = 'nothing was found' } = await ran({ ...person, by: '', dry: true });
      if (found) return found;
      const type = /is writing/.test(sentence)
        ? 'conflict'
        : /nothing is known/.test(sentence)
          ? 'not_found'
          : 'bad_request';
      throw new Declined(type, sentence);
    },
    start(person, by) {
      problem = null;
      void ran({ ...person, by, dry: false }).then(({ sentence = null }) => (problem = sentence));
    },
  };
}
