// A backup's side of a rest: asks the pull that has the writer's files, and learns if they were at rest from beginning to end.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isHeld, processHere } from '../folder-lock.ts';
import type { Folder } from '../folder.ts';
import { forgetRest, isSaid, sayStep, whatIsSaid } from './rest-files.ts';

export interface RestRequest {
  /** A pull has noticed it. */
  isHeard(): boolean;
  /** What the pull calls the rest that it has given; undefined: none yet. */
  given(): string | undefined;
  /** Whether whoever gave the rest says that it has lasted until now. The pull goes on then. */
  hasLasted(rest: string): Promise<boolean>;
  /** The pull goes on, or needs not rest any more. */
  end(): void;
}

/** Whoever is silent for `silent_ms` is taken for gone. */
const said_ms = 1000;
export const silent_ms = 10_000;
const look_ms = 50;

export function askForRest(folder: Pick<Folder, 'raw'>): RestRequest {
  const id = `rest-${randomBytes(8).toString('hex')}`;
  let times = 0;
  const want = (): void => sayStep(folder, id, 'wanted', JSON.stringify({ ...processHere(), times: (times += 1) }));
  want();
  const saying = setInterval(() => {
    try {
      want();
    } catch {
      // The next time, or it is taken for gone.
    }
  }, said_ms).unref();
  return {
    isHeard: () => isSaid(folder, id, 'heard'),
    given: () => whatIsSaid(folder, id, 'resting'),
    async hasLasted(rest) {
      sayStep(folder, id, 'copied');
      for (const until = performance.now() + silent_ms; performance.now() < until; await pause(look_ms)) {
        const rested = whatIsSaid(folder, id, 'rested');
        if (rested !== undefined || !isHeld(rest)) return rested === rest;
      }
      return false;
    },
    end() {
      clearInterval(saying);
      forgetRest(folder, id);
    },
  };
}
