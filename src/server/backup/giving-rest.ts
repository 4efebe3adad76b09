// A pull's side of a rest: sees that a backup wants one, brings the files to rest as if they were closed, and goes on when it is done or gone.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SharedRests } from '#etl/rests.ts';
import { markCleanShutdown } from '../clean-shutdown.ts';
import { isHeld, processHere } from '../folder-lock.ts';
import type { Folder } from '../folder.ts';
import type { Writer } from '../writer.ts';
import { silent_ms } from './asking-for-rest.ts';
import { forgetRest, isSaid, restIds, sayStep, whatIsSaid } from './rest-files.ts';

interface GivingRest {
  folder: Pick<Folder, 'raw' | 'warehouse'>;
  writer: Pick<Writer, 'engine' | 'archive'>;
  rests: SharedRests;
  /** The pull ends: nobody is given a rest any more, and who has one begins anew. */
  signal: AbortSignal;
  /** Null: the pulls go on. */
  onChange: (state: 'wanted' | 'resting' | null) => void;
  /** The files could not be brought to rest; the pull goes on. */
  onFailure: (error: unknown) => void;
}

const look_ms = 200;

/** Until what it returns is called, which waits for a rest that is under way. */
export function giveRests(giving: GivingRest): () => Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([giving.signal, over.signal]);
  const requests = watchRequests(giving.folder);
  const look = async (): Promise<void> => {
    while (!either.aborted) {
      if (requests.open().length > 0) await rest(giving, requests);
      await pause(look_ms, undefined, { signal: either }).catch(() => undefined);
    }
  };
  const looking = look().catch(giving.onFailure);
  return async () => {
    over.abort();
    await looking;
  };
}

interface Requests {
  /** Of backups that are there. What others have left is removed. */
  open(): string[];
  /** It was given, or cannot be. */
  close(id: string): void;
}

function watchRequests(folder: GivingRest['folder']): Requests {
  const seen = new Map<string, { text: string; at: number }>();
  const closed = new Set<string>();
  const isThere = (id: string): boolean => {
    const text = whatIsSaid(folder, id, 'wanted');
    if (text === undefined || !isHeld(text)) return false;
    const before = seen.get(id);
    if (before?.text !== text) seen.set(id, { text, at: performance.now() });
    return before?.text !== text || performance.now() - before.at < silent_ms;
  };
  return {
    open() {
      const [there, gone] = [[] as string[], [] as string[]];
      for (const id of restIds(folder)) (isThere(id) ? there : gone).push(id);
      for (const id of gone) forgetRest(folder, id);
      return there.filter((id) => !closed.has(id));
    },
    close: (id) => void closed.add(id),
  };
}

/** From when somebody wants it to when all of them are done. */
async function rest({ folder, writer, rests, signal, onChange, onFailure }: GivingRest, requests: Requests) {
  const asked = rests.ask();
  let has_begun = false;
  void asked.begun.then(() => (has_begun = true));
  /** Another one each time, so that no later rest is taken for this one. */
  const own = JSON.stringify({ ...processHere(), rest: randomUUID() });
  let is_quiet = false;
  onChange('wanted');
  try {
    for (let open = requests.open(); open.length > 0 && !signal.aborted; open = requests.open()) {
      if (has_begun && !is_quiet) {
        await quiet(folder, writer);
        is_quiet = true;
        onChange('resting');
      }
      for (const id of open) {
        if (!isSaid(folder, id, 'heard')) sayStep(folder, id, 'heard');
        if (!is_quiet) continue;
        if (whatIsSaid(folder, id, 'resting') !== own) sayStep(folder, id, 'resting', own);
        else if (isSaid(folder, id, 'copied')) {
          sayStep(folder, id, 'rested', own);
          requests.close(id);
        }
      }
      await pause(look_ms);
    }
  } catch (error) {
    for (const id of requests.open()) requests.close(id);
    onFailure(error);
  } finally {
    asked.end();
    onChange(null);
  }
}

/** Everything is in the files themselves, which look as if they were closed. */
async function quiet(folder: GivingRest['folder'], { engine, archive }: GivingRest['writer']): Promise<void> {
  await engine.checkpoint();
  await archive.engine.checkpoint();
  markCleanShutdown([folder.warehouse, folder.raw]);
}
