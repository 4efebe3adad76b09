// Asks the source one question: paced, with a time limit, a size limit and retries; returns the body as received.
import pRetry from 'p-retry';
import PQueue from 'p-queue';
import { Agent, request, type Dispatcher } from 'undici';
import { errorWords } from '#contract/errors.ts';
import { Final, Retryable, Unauthorized, Unreachable } from './errors.ts';
import type { Source } from './source.ts';

const timeout_ms = 15_000;
const largest_body = 16 * 1024 * 1024;
const at_once = 8;
const tries_again = 4;
const worthAnotherTry = new Set([408, 425, 429, 500, 502, 503, 504]);

/** An answer with status 200, and what it cost. */
export interface Received {
  path: string;
  status: number;
  body: string;
  bytes: number;
  milliseconds: number;
  attempts: number;
  /** Unix seconds. */
  asked_at: number;
}

export interface Fetcher {
  ask(path: string): Promise<Received>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export function createFetcher(source: Source, clock: () => number): Fetcher {
  const agent = new Agent({ connections: at_once, headersTimeout: timeout_ms, bodyTimeout: timeout_ms });
  const ending = new AbortController();
  const { signal } = ending;
  const queue = new PQueue({
    concurrency: at_once,
    ...(source.requests_per_second ? { interval: 1000, intervalCap: Math.max(1, source.requests_per_second) } : {}),
  });
  const headers = {
    authorization: source.authorization,
    'x-api-version': '2',
    'x-region': source.region,
    accept: 'application/json',
  };
  const once = async (path: string, attempts: number): Promise<Received> => {
    const asked_at = clock();
    const started = performance.now();
    const {
      statusCode,
      headers: said,
      body,
    } = await send(`${source.base_url}${path}`, { dispatcher: agent, headers, signal });
    const text = await read(body, path);
    if (statusCode !== 200) throw refusal(statusCode, said, text, path);
    const milliseconds = Math.round(performance.now() - started);
    return { path, status: statusCode, body: text, bytes: Buffer.byteLength(text), milliseconds, attempts, asked_at };
  };
  return {
    ask: (path) =>
      pRetry((attempt) => queue.add(() => once(path, attempt)), {
        signal,
        retries: tries_again,
        minTimeout: 500,
        maxTimeout: 15_000,
        randomize: true,
        shouldRetry: ({ error }) => error instanceof Retryable,
        onFailedAttempt: ({ error }) => pause(error instanceof Retryable ? error.after_seconds : 0),
      }),
    // What still waits for its turn, an answer or another try is given up.
    async close() {
      ending.abort(new Final('the pull has ended'));
      queue.clear();
      await agent.destroy();
    },
  };
}

const pause = (seconds: number): Promise<void> =>
  seconds > 0 ? new Promise((done) => setTimeout(done, Math.min(seconds, 120) * 1000)) : Promise.resolve();

type Sending = { dispatcher: Agent; headers: Record<string, string>; signal: AbortSignal };

async function send(url: string, sending: Sending): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, sending);
  } catch (error) {
    sending.signal.throwIfAborted();
    throw unanswered(error, new URL(url).origin);
  }
}

const nobodyThere = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function unanswered(error: unknown, origin: string): Error {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  if (nobodyThere.has(code)) return new Unreachable(`nothing answers at ${origin} (${code})`);
  return new Retryable(`no answer from ${origin}: ${code || message}`);
}

async function read(body: Dispatcher.ResponseData['body'], path: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > largest_body) throw new Final(`the answer to ${path} is larger than 16 MB`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Final) throw error;
    throw new Retryable(`the answer to ${path} broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
  return Buffer.concat(parts).toString('utf8');
}

function refusal(status: number, headers: Dispatcher.ResponseData['headers'], body: string, path: string): Error {
  const words = said(body);
  const sentence = `${path} was answered with ${status}${words ? `: ${words}` : ''}`;
  if (status === 401) return new Unauthorized(words ?? 'the credentials were refused');
  if (worthAnotherTry.has(status)) return new Retryable(sentence, status, retryAfter(headers['retry-after']));
  return new Final(sentence, status);
}

function said(body: string): string | undefined {
  try {
    return errorWords(JSON.parse(body));
  } catch {
    return body.trim().startsWith('<') ? 'an HTML page' : undefined;
  }
}

/** Seconds to wait; the header holds seconds or a date. */
function retryAfter(header: string | string[] | undefined): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (!text) return 0;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
