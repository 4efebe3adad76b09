// Runs before a pull of `start`, at most once a day: removes expired content in a separate process.
import type { Children } from '../children.ts';
import { clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { dueBy, isDue } from '../erased/due.ts';
import { marksOf } from '../erased/erased-in.ts';
import { exitCodes } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { objectionToClock } from '../source-clock.ts';
import type { Terminal } from '../terminal.ts';

interface RetainParts {
  config: Pick<Config, 'keep'>;
  folder: Folder;
  terminal: Terminal;
  children: Children;
}

/** A failure never stops the following pull. `published`: a snapshot replaced the newest. */
export function retaining(
  { config: { keep }, folder, terminal, children }: RetainParts,
  published: () => void,
): () => Promise<void> {
  let looked_on = '';
  let objected_on = '';
  return async () => {
    const today = new Date(clock() * 1000).toISOString().slice(0, 10);
    if (looked_on === today) return;
    try {
      const is_due = isDue(dueBy(keep, marksOf(folder), clock()));
      const objection = is_due ? objectionToClock(folder.published, clock()) : undefined;
      if (objection !== undefined) {
        // The pull that follows may tell.
        if (objected_on !== today) terminal.warn(`retention waits: ${objection}`);
        objected_on = today;
        return;
      }
      looked_on = today;
      if (!is_due) return;
    } catch (error) {
      looked_on = today;
      return terminal.warn(`what is too old is still there: ${String(error)}`);
    }
    const code = await children.run(['retain'], (message) => {
      if (message.kind === 'erasing')
        terminal.progress(`leaving out what is too old: ${message.what} (${message.done} of ${message.total})`);
      if (message.kind === 'published') published();
      if (message.kind === 'retained') terminal.say(`retention: ${message.sentence}`);
      if (message.kind === 'stopped') terminal.warn(`what is too old is still there: ${message.sentence}`);
    });
    if (code !== exitCodes.done && !children.is_ending)
      terminal.say(
        `retention ended with exit code ${code}; the next try comes tomorrow, or with 'npx chatledger retain'`,
      );
  };
}
