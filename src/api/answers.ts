// Answers that depend on a snapshot only: kept for the next caller, marked with an ETag, not sent twice.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Door, OpenSnapshot } from './door.ts';
import { Declined } from './errors.ts';

interface Kept {
  body: string;
  etag: string;
}

const mostAnswers = 4000;
const mostCharacters = 64 * 1024 * 1024;
const quarter = 900_000;

/** The snapshot, or a 503 while there is none. */
export function snapshotOf(door: Door): OpenSnapshot {
  const snapshot = door.snapshot();
  if (!snapshot) throw new Declined('unavailable', 'nothing is published yet: the first pull is still running');
  return snapshot;
}

/** A small memory of answers, the longest unused forgotten first. */
export class Answers {
  readonly #kept = new Map<string, Kept>();
  readonly #making = new Map<string, Promise<Kept>>();
  #characters = 0;

  /**
   * Answers from memory, or with what `make` gives. `question` is everything the answer depends on besides the snapshot
   * and the time. States of periods change on quarter hours of real time only, so an answer holds for one.
   */
  async answer(
    c: Context,
    door: Door,
    question: string,
    make: (snapshot: OpenSnapshot) => Promise<object>,
  ): Promise<Response> {
    const snapshot = snapshotOf(door);
    return this.answerAt(c, snapshot.id, door.clock(), question, () => make(snapshot));
  }

  /** The same about a snapshot (or several, by name) that is not the newest, at a moment in milliseconds. */
  async answerAt(
    c: Context,
    snapshot: string,
    milliseconds: number,
    question: string,
    make: () => Promise<object>,
  ): Promise<Response> {
    const key = `${snapshot} ${Math.floor(milliseconds / quarter)} ${question}`;
    const kept = this.#recall(key) ?? (await this.#once(key, make));
    c.header('etag', kept.etag);
    c.header('cache-control', 'private, no-cache');
    const known = c.req.header('if-none-match');
    if (known !== undefined && known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === kept.etag))
      return c.body(null, 304);
    return c.body(kept.body, 200, { 'content-type': 'application/json; charset=UTF-8' });
  }

  #recall(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** The same question asked twice at once is answered once. */
  #once(key: string, make: () => Promise<object>): Promise<Kept> {
    const running = this.#making.get(key);
    if (running) return running;
    const made = make()
      .then((value) => this.#keep(key, JSON.stringify(value)))
      .finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return made;
  }

  #keep(key: string, body: string): Kept {
    const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
    const kept = { body, etag };
    this.#kept.set(key, kept);
    this.#characters += body.length;
    for (const [oldest, { body: gone }] of this.#kept) {
      if (this.#kept.size <= mostAnswers && this.#characters <= mostCharacters) break;
      this.#kept.delete(oldest);
      this.#characters -= gone.length;
    }
    return kept;
  }
}
