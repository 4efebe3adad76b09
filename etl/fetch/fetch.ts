// Asks the source one question: at a limited rate, with a time limit, a size limit and retries; tells every attempt as received.
import pRetry from 'p-retry';
import PQueue from 'p-queue';
import type { Dispatcher } from 'undici';
import { Final, Misdirected, Postponed, Retryable, Silent, Unreachable } from '../errors.ts';
import type { ReceivedResponse } from '../fetched.ts';
import type { SourceAccount } from '../source.ts';
import { readBody } from './body.ts';
import { at_once, createConnections } from './connections.ts';
import { parsed } from './parse.ts';
import { refusal } from './refusal.ts';
import { createRetryBudget, longest_pause_seconds, most_tries, retrying, type Retrying } from './retry-budget.ts';

/** Headers that say something about an answer and are worth keeping with it. */
const keptHeaders = [
  'content-type',
  'date',
  'etag',
  'retry-after',
  'deprecation',
  'sunset',
  'legacy',
  'x-request-id',
] as const;

/** An answer that can be used: an object or a list. */
export interface FetchedAnswer {
  received: ReceivedResponse;
  json: unknown;
}

/** Asks by GET. */
export type FetchPath = (path: string) => Promise<FetchedAnswer>;

export interface Fetcher {
  /**
   * Resolves with the first usable answer; `hear` is called with every attempt, including the last one. @throws Retryable (given up),
   * Final, Unauthorized, Unreachable.
   */
  ask(path: string, hear?: (attempt: ReceivedResponse) => void): Promise<FetchedAnswer>;
  /** Seconds by which the source's clock is ahead of ours; null before it said so. */
  skew(): number | null;
  /** Aborts running requests. */
  close(): Promise<void>;
  has_ended(): boolean;
}

/** `limits` of waiting are an argument for tests; real sources use the default. */
export function createFetcher(source: SourceAccount, clock: () => number, limits: Retrying = retrying): Fetcher {
  const ending = new AbortController();
  const connections = createConnections(source, limits.timeout_ms, ending.signal);
  const queue = new PQueue({ concurrency: at_once });
  const budget = createRetryBudget(limits);
  let skew: number | null = null;
  let has_answered = false;
  /** Attempts in a row that no whole answer came of, and when the first of them began (ms). */
  const silence = { attempts: 0, since: 0 };

  const once = async (
    path: string,
    attempts: number,
    hear: (attempt: ReceivedResponse) => void,
  ): Promise<FetchedAnswer> => {
    const { limiter, send, misdirected } = connections.now();
    await limiter.turn();
    ending.signal.throwIfAborted();
    const started = performance.now();
    const received: ReceivedResponse = {
      ...{ path, status: 0, headers: {}, body: '', bytes: 0, milliseconds: 0, attempts },
      ...{ asked_at: clock(), error: null },
    };
    try {
      const json = await exchange(received, limits.timeout_ms, () => send(path));
      limiter.answered();
      budget.answered();
      has_answered = true;
      silence.attempts = 0;
      return { received, json };
    } catch (cause) {
      const error = hung(cause, started);
      received.error = error instanceof Error ? error.message : String(error);
      if (error instanceof Misdirected) misdirected(error);
      if (error instanceof Retryable && (error.status === 429 || error.after_seconds > 0))
        limiter.tooFast(error.after_seconds);
      throw error;
    } finally {
      received.milliseconds = Math.round(performance.now() - started);
      if (received.headers.date) skew = Math.round(Date.parse(received.headers.date) / 1000 - received.asked_at);
      hear(received);
    }
  };

  /** A source that takes every question and answers none would cost each of them its time limit, for hours. */
  const hung = (cause: unknown, started: number): unknown => {
    const is_silent = cause instanceof Retryable && cause.status === 0;
    if (silence.attempts === 0) silence.since = started;
    silence.attempts = is_silent ? silence.attempts + 1 : 0;
    const seconds = Math.round((performance.now() - silence.since) / 1000);
    return is_silent && silence.attempts > 2 * at_once && seconds >= limits.request_seconds
      ? new Unreachable(`${cause.message}, and nothing was answered for ${seconds} s`)
      : cause;
  };

  return {
    async ask(path, hear = () => undefined) {
      const own = budget.request();
      try {
        return await pRetry((attempt) => queue.add(() => once(path, attempt, hear)), {
          signal: ending.signal,
          retries: most_tries - 1,
          minTimeout: limits.first_ms,
          maxTimeout: limits.longest_ms,
          randomize: true,
          shouldRetry: ({ error, attemptNumber, retryDelay }) => own.isWorthAnother(error, attemptNumber, retryDelay),
        });
      } catch (error) {
        throw final(error, has_answered);
      }
    },
    skew: () => skew,
    has_ended: () => ending.signal.aborted,
    // Aborts whatever still waits for its turn, an answer or a retry.
    async close() {
      ending.abort(new Final('the pull has ended'));
      queue.clear();
      await connections.close();
    },
  };
}

/** Giving up on silence, or being told to wait long, is the end of the pull and not of one question. */
function final(error: unknown, has_answered: boolean): unknown {
  if (error instanceof Silent) {
    const words = has_answered ? error.message.replace('answers at', 'answers any more at') : error.message;
    return new Unreachable(words);
  }
  if (error instanceof Retryable && error.after_seconds > longest_pause_seconds)
    return new Postponed(
      `${error.message}; it asks to wait ${Math.ceil(error.after_seconds / 60)} minutes, a later pull goes on from here`,
    );
  return error;
}

/** Fills `received` with the response. @throws the matching error, if it cannot be used. */
async function exchange(
  received: ReceivedResponse,
  timeout_ms: number,
  send: () => Promise<Dispatcher.ResponseData>,
): Promise<unknown> {
  const { path } = received;
  const started = performance.now();
  const answer = await send();
  received.status = answer.statusCode;
  received.headers = keptOf(answer.headers);
  const late = new Retryable(`the answer to ${path} took longer than ${timeout_ms / 1000} s`);
  const timer = setTimeout(() => answer.body.destroy(late), Math.max(0, timeout_ms - (performance.now() - started)));
  const encoding = String(answer.headers['content-encoding'] ?? '');
  const { text, bytes, error } = await readBody(answer.body, encoding.trim().toLowerCase(), path);
  clearTimeout(timer);
  received.body = text;
  received.bytes = bytes;
  if (answer.statusCode !== 200) throw refusal(answer.statusCode, received.headers, text, path, received.asked_at);
  if (error) throw error;
  return parsed(text, path);
}

const keptOf = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(keptHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
