// One HTTP exchange with an overall deadline, and an accurate description of its outcome.
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import type { DeliveryOutcome } from './outcome.ts';
import { certificateProblem } from '#network/certificate.ts';
import { brokenOff, nobodyThere } from '#network/connection.ts';
import { lookupFor, OutOfReach, refusalOf, type Reach } from '#network/reach.ts';

/** From the DNS lookup to the last byte of the response. */
const longest_ms = 30_000;
/** The connection is closed after this many bytes of a response; its content is not used. */
const most_read = 64 * 1024;

/** What webhooks need from the program: which hosts they may reach, and how long they may take (for tests). */
export interface Webhooks extends Reach {
  exchange_ms?: number;
}

export async function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  webhooks: Webhooks,
): Promise<DeliveryOutcome> {
  const url = new URL(address);
  const refusal = refusalOf(address, webhooks);
  if (refusal !== undefined) return { kind: 'failed', reason: refusal };
  const { exchange_ms = longest_ms } = webhooks;
  const signal = AbortSignal.timeout(exchange_ms);
  let isConnected = false;
  const connect = buildConnector({ lookup: lookupFor(url, webhooks), timeout: exchange_ms });
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...[error, socket]) => {
        isConnected ||= error === null;
        if (error) done(error, null);
        else done(null, socket);
      }),
  });
  try {
    const answer = await request(url, {
      ...{ method: 'POST', body, signal, dispatcher: agent, headersTimeout: exchange_ms, bodyTimeout: exchange_ms },
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    });
    // The status decides the outcome, whatever happens to the rest of the response.
    await answer.body.dump({ limit: most_read, signal }).catch(() => undefined);
    return judged(answer, url.host);
  } catch (error) {
    if (error instanceof OutOfReach) return { kind: 'failed', reason: error.message };
    const why = signal.aborted
      ? `no answer within ${exchange_ms / 1000} s`
      : (certificateProblem(error) ?? messageOf(error));
    // Without a connection the other side cannot have read anything.
    return isConnected
      ? { kind: 'unknown', reason: `the answer was lost: ${url.host}: ${why}` }
      : { kind: 'retry', reason: `${url.host}: ${why}` };
  } finally {
    await agent.destroy();
  }
}

function judged({ statusCode: status, headers }: Answered, host: string): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const reason = `${host} answered with ${status}`;
  const [retry_after, date] = [headers['retry-after'], headers.date].map((value) => [value].flat()[0]);
  if (retry_after !== undefined && (status === 429 || status === 503))
    return { kind: 'retry', reason, asked: { retry_after, date } };
  return status === 408 || status === 429 || status >= 500 ? { kind: 'retry', reason } : { kind: 'failed', reason };
}

type Answered = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/** Of a name with several addresses the system's error has no message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException;
  const words = nobodyThere[code] ?? brokenOff[code];
  return words ? `${words} (${code})` : error.message;
}
