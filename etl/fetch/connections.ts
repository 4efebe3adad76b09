// Connections to an account, one per data centre: requests, headers and rate limits.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, errors, request, type Dispatcher } from 'undici';
import type { Misdirected } from '../errors.ts';
import { createRateLimiter, type RateLimiter, type Timer } from './rate-limiter.ts';
import { readQuestion } from '../source-request.ts';
import { unanswered } from './refusal.ts';
import type { SourceAccount } from '../source.ts';

interface Connection {
  limiter: RateLimiter;
  /** @throws Silent, Retryable, Unreachable; the reason of the signal when it has ended. */
  send: (question: string) => Promise<Dispatcher.ResponseData>;
  /** The answer came from the wrong data centre: later requests go to the right one. */
  misdirected: (error: Misdirected) => void;
}

interface SourceConnections {
  /** The connection to the current data centre. */
  now(): Connection;
  close(): Promise<void>;
}

/** Requests under way at once for one account. */
export const at_once = 8;

const dataCentres = ['dal', 'fra'];

export function createConnections(source: SourceAccount, timeout_ms: number, signal: AbortSignal): SourceConnections {
  const { base_url, requests_per_second } = source;
  const agent = new Agent({
    ...{ connections: at_once, connect: { timeout: timeout_ms } },
    ...{ headersTimeout: timeout_ms, bodyTimeout: timeout_ms },
  });
  const { origin } = new URL(base_url);
  const timer = timerUntil(signal);
  const connections = new Map<string, Connection>();
  let asked = source.region;
  const connectionTo = (region: string): Connection => ({
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
      const connection = connections.get(asked) ?? connectionTo(asked);
      connections.set(asked, connection);
      return connection;
    },
    close: () => agent.destroy(),
  };
}

/** Interim responses (1xx) restart the wait for an answer, so connecting and waiting together also have a limit. */
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

function headersOf({ authorization, agent_authorization }: SourceAccount, region: string, method: 'GET' | 'POST') {
  const common = { 'x-region': region, accept: 'application/json', 'accept-encoding': 'gzip' };
  if (method === 'GET') return { ...common, authorization, 'x-api-version': '2' };
  const agent = { authorization: agent_authorization ?? authorization, 'x-api-version': '3.5' };
  return { ...common, ...agent, 'content-type': 'application/json' };
}

/** Sleeping ends with the pull: nobody waits for a turn any more. */
const timerUntil = (signal: AbortSignal): Timer => ({
  now: () => performance.now(),
  sleep: (milliseconds) => delay(milliseconds, undefined, { signal }),
});
