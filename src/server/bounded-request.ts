// One answer of anybody, for the doctor: it may be no answer of ours, and without an end.
import { request } from 'undici';
import { readBody } from '#etl/fetch/body.ts';

interface Answered {
  status: number;
  text: string;
  /** Why `text` is not all of it. */
  error: Error | null;
}

interface Limits {
  headers?: Record<string, string>;
  /** Milliseconds for the head of the answer, and for the whole of it. */
  head_ms: number;
  whole_ms: number;
}

/** As much as the pull reads of an answer. @throws without an answer. */
export async function boundedAnswer(address: string, { headers = {}, head_ms, whole_ms }: Limits): Promise<Answered> {
  const signal = AbortSignal.timeout(whole_ms);
  const answer = await request(address, { headers, headersTimeout: head_ms, bodyTimeout: head_ms, signal });
  const encoding = String(answer.headers['content-encoding'] ?? '').trim();
  return {
    status: answer.statusCode,
    ...(await readBody(answer.body, encoding.toLowerCase(), new URL(address).pathname)),
  };
}
