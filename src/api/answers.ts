// Answers that depend only on a snapshot: cached for the next caller, marked with an ETag, not sent twice.
import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { assertWanted, Coalescer } from '#warehouse/cancellation.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { PooledContext } from '#warehouse/query/pooled-context.ts';
import { readerKey } from '#warehouse/query/reader.ts';
import type { Unopened } from './context.ts';
import type { UnopenedPool } from './several-accounts.ts';
import { Declined } from './errors.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { encodedAs, encodingFor, least_compressed, type Encoding } from './encoded.ts';
import { neededAt } from './guard.ts';
import { jsonInPieces } from './json.ts';

/** The contract's shape of a value to be serialized. Rows of an engine are untyped; tests verify that answers match the contract. */
export type AsJson<Shape> = Shape extends readonly (infer Item)[]
  ? readonly AsJson<Item>[]
  : Shape extends object
    ? { [Name in keyof Shape]: AsJson<Shape[Name]> } | Row
    : Shape | Value;

/** A body in pieces, with its ETag. */
interface CachedAnswer {
  pieces: readonly Uint8Array<ArrayBuffer>[];
  bytes: number;
  etag: string;
  /** The same of one piece, as it was taken so far. */
  encoded: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
}

const encodedBytes = ({ encoded }: CachedAnswer): number =>
  Object.values(encoded).reduce((sum, { length }) => sum + length, 0);

const mostAnswers = 4000;
const mostBytes = 64 * 1024 * 1024;
/** Larger answers are sent in pieces and not cached. */
const largest = 4 * 1024 * 1024;
const piece = 256 * 1024;
/** Large answers in transit may take this much together. */
const mostOnTheWay = 192 * 1024 * 1024;
/** Seconds. */
const quarter = 900;
/** Long questions that wait for their turn. */
const mostWaiting = 24;

/** Conversations, and numbers with the conversations behind them: browsers must not store visitors' identities and texts on disk. */
const isOfPeople = ({ req: { method, path } }: Context): boolean =>
  path.startsWith('/api/receipts/') || neededAt(method, path) === 'chats:read';

/** A small memory of answers. */
export class AnswerCache {
  readonly #kept = new LRUCache<string, CachedAnswer>({
    ...{ max: mostAnswers, maxSize: mostBytes, maxEntrySize: largest },
    sizeCalculation: (answer, key) => key.length + answer.bytes + encodedBytes(answer),
  });
  readonly #making = new Coalescer<CachedAnswer>();
  readonly #compressing = new Coalescer<Uint8Array<ArrayBuffer>>();
  /** Questions with many cells, each of which briefly needs much memory. */
  readonly #long = new PQueue({ concurrency: 1 });
  #on_the_way = 0;
  readonly #version: () => string;
  #seen: string;

  /** `version` changes when snapshots are rewritten under their own names; the cache is then cleared. */
  constructor(version: () => string = () => '') {
    this.#version = version;
    this.#seen = version();
  }

  /**
   * Answers from the cache or with the result of `make`. `question` is everything the answer depends on besides the context. Period
   * states change only on quarter hours, so an answer is valid for one. `isLong` marks answers with many cells, which are computed one at
   * a time. Errors: Declined, Cancelled.
   */
  answer<Shape extends object>(
    c: Context,
    { reader, account, snapshot, now, open }: Unopened,
    question: string,
    make: (context: QueryContext) => Promise<AsJson<Shape> & object>,
    isLong: (context: QueryContext) => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<Response> {
    const key = JSON.stringify([readerKey(reader), account, snapshot, Math.floor(now / quarter), question]);
    return this.answerAs(
      c,
      key,
      async () => make(await open()),
      async () => isLong(await open()),
    );
  }

  /** The same of several accounts: all of them are part of what is kept. */
  answerPooled<Shape extends object>(
    c: Context,
    { reader, accounts, snapshot, now, open }: UnopenedPool,
    question: string,
    make: (context: PooledContext) => Promise<AsJson<Shape> & object>,
    isLong: (context: PooledContext) => Promise<boolean>,
  ): Promise<Response> {
    const key = JSON.stringify([readerKey(reader), accounts, snapshot, Math.floor(now / quarter), question]);
    return this.answerAs(
      c,
      key,
      async () => make(await open()),
      async () => isLong(await open()),
    );
  }

  /** The same for answers over several snapshots or accounts: `asked` stands for everything the answer depends on. */
  async answerAs<Shape extends object>(
    c: Context,
    asked: string,
    make: () => Promise<AsJson<Shape> & object>,
    isLong: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<Response> {
    const version = this.#version();
    if (version !== this.#seen) this.#kept.clear();
    this.#seen = version;
    const key = version + asked;
    const kept = this.#kept.get(key) ?? (await this.#making.run(key, () => this.#make(key, make, isLong)));
    c.header('etag', kept.etag);
    c.header('cache-control', isOfPeople(c) ? 'no-store' : 'private, no-cache');
    const known = c.req.header('if-none-match');
    if (known !== undefined && known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === kept.etag))
      return c.body(null, 304);
    return (await this.#sentEncoded(c, key, kept)) ?? this.#sent(c, kept);
  }

  /** Sends a body of one piece compressed, and keeps it so; undefined where it goes out as it is. */
  async #sentEncoded(c: Context, key: string, kept: CachedAnswer): Promise<Response | undefined> {
    const [only] = kept.pieces;
    if (!only || kept.pieces.length > 1 || kept.bytes < least_compressed) return undefined;
    const encoding = encodingFor(c);
    if (!encoding) return undefined;
    const body =
      kept.encoded[encoding] ?? (await this.#compressing.run(`${encoding} ${key}`, () => encodedAs(encoding, only)));
    this.#keepEncoded(key, kept, encoding, body);
    return c.body(body, 200, { ...asJson, 'content-encoding': encoding, vary: 'accept-encoding' });
  }

  /** Another object, whose room is counted anew; nothing where the answer was cleared or made again meanwhile. */
  #keepEncoded(key: string, { pieces }: CachedAnswer, encoding: Encoding, body: Uint8Array<ArrayBuffer>): void {
    const now = this.#kept.peek(key);
    if (now?.pieces !== pieces || now.encoded[encoding]) return;
    this.#keep(key, { ...now, encoded: { ...now.encoded, [encoding]: body } });
  }

  async #make(key: string, make: () => Promise<object>, isLong: () => Promise<boolean>): Promise<CachedAnswer> {
    const work = async (): Promise<CachedAnswer> => {
      assertWanted();
      return bodyOf(key, await make());
    };
    // TRICKY: a queue calls what waits in it when something else is over; bound, it keeps the signal of those who ask.
    if (!(await isLong())) return this.#keep(key, await work());
    if (this.#long.size >= mostWaiting || this.#on_the_way > mostOnTheWay)
      throw new Declined('unavailable', 'too many long questions are asked at the moment: ask again in a few seconds');
    return this.#keep(key, await this.#long.add(AsyncResource.bind(work)));
  }

  #keep(key: string, kept: CachedAnswer): CachedAnswer {
    this.#kept.set(key, kept);
    return kept;
  }

  /** Streams a large body at the speed of its reader. */
  #sent(c: Context, { pieces, bytes }: CachedAnswer): Response {
    const [only] = pieces;
    if (only && pieces.length === 1) return c.body(only, 200, asJson);
    // Nobody would read a body that is not sent, and its room would stay taken.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, { ...asJson, 'content-length': String(bytes) });
    this.#on_the_way += bytes;
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.#on_the_way -= bytes;
      isOver = true;
    };
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = pieces[next++];
        if (part) return controller.enqueue(part);
        over();
        controller.close();
      },
      cancel: over,
    });
    return c.body(body, 200, { ...asJson, 'content-length': String(bytes) });
  }
}

const asJson = { 'content-type': 'application/json; charset=UTF-8' } as const;
const encoder = new TextEncoder();

async function bodyOf(key: string, value: object): Promise<CachedAnswer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  let bytes = 0;
  const cut = (): void => {
    const part = encoder.encode(text);
    pieces.push(part);
    bytes += part.length;
    text = '';
  };
  for await (const part of jsonInPieces(value)) {
    text += part;
    if (text.length >= piece) cut();
  }
  if (text !== '' || pieces.length === 0) cut();
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
  return { pieces, bytes, etag, encoded: {} };
}
