// Asks the source one question: paced, with a time limit, a size limit and retries; tells every attempt as received.
import pRetry from 'p-retry';
import PQueue from 'p-queue';
import { Agent, request, type Dispatcher } from 'undici';
import { readBody } from './body.ts';
import { Final, Garbled, Misdirected, Retryable, Silent, Unreachable } from './errors.ts';
import { createPace, type Pace } from './pace.ts';
import { createPatience, longest_pause_seconds, most_tries, retrying, type Retrying } from './patience.ts';
import { refusal, unanswered } from './refusal.ts';
import { readQuestion } from './question.ts';
import type { Source } from './source.ts';

const timeout_ms = 15_000;
/** Requests under way at once for one account. */
export const at_once = 8;

/** What one attempt brought, whatever it was, and what it cost. A plain value. */
export interface Received {
  path: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Of the headers that came, lower case, only `keptHeaders`. */
  headers: Record<string, string>;
  /** As far as it was read, at most 16 MB. */
  body: string;
  /** Bytes of the body over the wire. */
  bytes: number;
  milliseconds: number;
  /** 1-based number of this attempt at the question. */
  attempts: number;
  /** Unix seconds. */
  asked_at: number;
  /** Why this attempt gave no answer that can be used; null when it did. */
  error: string | null;
}

/** Headers that say something about an answer and are worth keeping with it. */
export const keptHeaders = [
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
export interface Answer {
  received: Received;
  json: unknown;
}

export interface Fetcher {
  /**
   * Resolves with the first usable answer; `hear` is told every attempt, the last one included.
   * @throws Retryable (given up), Final, Unauthorized, Unreachable.
   */
  ask(path: string, hear?: (attempt: Received) => void): Promise<Answer>;
  /** Seconds by which the source's clock is ahead of ours; null before it said so. */
  skew(): number | null;
  /** Gives up what is under way. */
  close(): Promise<void>;
  has_ended(): boolean;
}

/** `limits` of waiting are an argument for tests; a real source is given the default. */
export function createFetcher(source: Source, clock: () => number, limits: Retrying = retrying): Fetcher {
  const sending = createSending(source);
  const ending = new AbortController();
  const queue = new PQueue({ concurrency: at_once });
  const patience = createPatience(limits);
  let skew: number | null = null;
  let has_answered = false;

  const once = async (path: string, attempts: number, hear: (attempt: Received) => void): Promise<Answer> => {
    const { pace, send, misdirected } = sending.now();
    await pace.turn();
    ending.signal.throwIfAborted();
    const started = performance.now();
    const received: Received = {
      ...{ path, status: 0, headers: {}, body: '', bytes: 0, milliseconds: 0, attempts },
      ...{ asked_at: clock(), error: null },
    };
    try {
      const json = await exchange(received, () => send(path, ending.signal));
      pace.answered();
      patience.answered();
      has_answered = true;
      return { received, json };
    } catch (error) {
      received.error = error instanceof Error ? error.message : String(error);
      if (error instanceof Misdirected) misdirected(error);
      if (error instanceof Retryable && (error.status === 429 || error.after_seconds > 0))
        pace.tooFast(error.after_seconds);
      throw error;
    } finally {
      received.milliseconds = Math.round(performance.now() - started);
      if (received.headers.date) skew = Math.round(Date.parse(received.headers.date) / 1000 - received.asked_at);
      hear(received);
    }
  };

  return {
    async ask(path, hear = () => undefined) {
      const own = patience.request();
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
    // What still waits for its turn, an answer or another try is given up.
    async close() {
      ending.abort(new Final('the pull has ended'));
      queue.clear();
      await sending.close();
    },
  };
}

/** Giving up on silence, or being told to wait long, is the end of the pull and not of one question. */
function final(error: unknown, has_answered: boolean): unknown {
  if (error instanceof Silent) return new Unreachable(has_answered ? `${error.message} any more` : error.message);
  if (error instanceof Retryable && error.after_seconds > longest_pause_seconds)
    return new Unreachable(
      `${error.message}; it asks to wait ${Math.ceil(error.after_seconds / 60)} minutes, a later pull goes on from here`,
    );
  return error;
}

/** Fills `received` with what came. @throws the error that fits, when it cannot be used. */
async function exchange(received: Received, send: () => Promise<Dispatcher.ResponseData>): Promise<unknown> {
  const { path } = received;
  const started = performance.now();
  const answer = await send();
  received.status = answer.statusCode;
  received.headers = keptOf(answer.headers);
  const late = new Retryable(`the answer to ${path} took longer than ${timeout_ms / 1000} s`);
  const timer = setTimeout(() => answer.body.destroy(late), timeout_ms - (performance.now() - started));
  const { text, bytes, error } = await readBody(answer.body, String(answer.headers['content-encoding'] ?? ''), path);
  clearTimeout(timer);
  received.body = text;
  received.bytes = bytes;
  if (answer.statusCode !== 200) throw refusal(answer.statusCode, received.headers, text, path, received.asked_at);
  if (error) throw error;
  return parsed(text, path);
}

function parsed(text: string, path: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // What it is instead is said below.
  }
  const what = text.trim() === '' ? 'empty' : text.trimStart().startsWith('<') ? 'an HTML page' : 'no whole JSON';
  throw new Garbled(`the answer to ${path} is ${what}`);
}

const keptOf = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(keptHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));

interface Way {
  pace: Pace;
  send: (path: string, signal: AbortSignal) => Promise<Dispatcher.ResponseData>;
  /** The answer came from the wrong data centre: later requests go to the right one. */
  misdirected: (error: Misdirected) => void;
}

const dataCentres = ['dal', 'fra'];

/** Connections, headers, and the data centre that is asked now; each has a pace of its own. */
function createSending({ base_url, authorization, agent_authorization, region, requests_per_second }: Source) {
  const agent = new Agent({
    ...{ connections: at_once, connect: { timeout: timeout_ms } },
    ...{ headersTimeout: timeout_ms, bodyTimeout: timeout_ms },
  });
  const { origin } = new URL(base_url);
  const ways = new Map<string, Way>();
  let asked = region;
  const wayTo = (region: string): Way => {
    const headers = {
      ...{ authorization, 'x-api-version': '2', 'x-region': region },
      ...{ accept: 'application/json', 'accept-encoding': 'gzip' },
    };
    const agentHeaders = {
      ...{ authorization: agent_authorization ?? authorization, 'x-api-version': '3.5' },
      'content-type': 'application/json',
    };
    return {
      pace: createPace(requests_per_second),
      async send(path, signal) {
        try {
          const { method, path: where, body = null } = readQuestion(path);
          const own = method === 'POST' ? { ...headers, ...agentHeaders } : headers;
          return await request(`${base_url}${where}`, { dispatcher: agent, method, headers: own, body, signal });
        } catch (error) {
          signal.throwIfAborted();
          throw unanswered(error, origin);
        }
      },
      misdirected(error) {
        if (asked === region) asked = error.region ?? dataCentres.find((name) => name !== region) ?? region;
      },
    };
  };
  return {
    now(): Way {
      const way = ways.get(asked) ?? wayTo(asked);
      ways.set(asked, way);
      return way;
    },
    close: () => agent.destroy(),
  };
}
