// The ways to an account: connections, headers and, for each of its data centres, a rate limiter.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, errors, request, type Dispatcher } from 'undici';
import type { Misdirected } from '../errors.ts';
import { createRateLimiter, type RateLimiter, type Timer } from './rate-limiter.ts';
import { readQuestion } from '../question.ts';
import { unanswered } from './refusal.ts';
import type { Source } from '../source.ts';

export interface Way {
  limiter: RateLimiter;
  /** @throws Silent, Retryable, Unreachable; the reason of the signal when it has ended. */
  send: (question: string) => Promise<Dispatcher.ResponseData>;
  /** The answer came from the wrong data centre: later requests go to the right one. */
  misdirected: (error: Misdirected) => void;
}

export interface Ways {
  /** The way to the data centre that is asked now. */
  now(): Way;
  close(): Promise<void>;
}

/** Requests under way at once for one account. */
export const at_once = 8;

const dataCentres = ['dal', 'fra'];

export function createWays(source: Source, timeout_ms: number, signal: AbortSignal): Ways {
  const { base_url, requests_per_second } = source;
  const agent = new Agent({
    ...{ connections: at_once, connect: { timeout: timeout_ms } },
    ...{ headersTimeout: timeout_ms, bodyTimeout: timeout_ms },
  });
  const { origin } = new URL(base_url);
  const timer = timerUntil(signal);
  const ways = new Map<string, Way>();
  let asked = source.region;
  const wayTo = (region: string): Way => ({
    limiter: createRateLimiter(requests_per_second, timer),
    async send(question) {
      try {
        const { method, path, body = null } = readQuestion(question);
        const headers = headersOf(source, region, method);
        const options = { dispatcher: agent, method, headers, body };
        return await inTime(2 * timeout_ms, signal, (ends) =>
          request(`${base_url}${path}`, { ...options, signal: ends }),
        );
      } catch (error) {
        signal.throwIfAborted();
        throw unanswered(error, origin);
      }
    },
    misdirected(error) {
      if (asked === region) asked = error.region ?? dataCentres.find((name) => name !== region) ?? region;
    },
  });
  return {
    now() {
      const way = ways.get(asked) ?? wayTo(asked);
      ways.set(asked, way);
      return way;
    },
    close: () => agent.destroy(),
  };
}

/** Interim answers (1xx) begin the wait for an answer anew each time: connecting and waiting together have an end besides. */
async function inTime<Value>(
  most_ms: number,
  signal: AbortSignal,
  ask: (ends: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new errors.HeadersTimeoutError()), most_ms);
  try {
    return await ask(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function headersOf({ authorization, agent_authorization }: Source, region: string, method: 'GET' | 'POST') {
  const common = { 'x-region': region, accept: 'application/json', 'accept-encoding': 'gzip' };
  if (method === 'GET') return { ...common, authorization, 'x-api-version': '2' };
  const agent = { authorization: agent_authorization ?? authorization, 'x-api-version': '3.5' };
  return { ...common, ...agent, 'content-type': 'application/json' };
}

/** Nobody waits for a turn any more when the pull has ended. */
const timerUntil = (signal: AbortSignal): Timer => ({
  now: () => performance.now(),
  sleep: (milliseconds) => delay(milliseconds, undefined, { signal }),
});
