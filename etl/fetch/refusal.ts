// Maps a status other than 200, or a missing answer, to an error and the delay that the source requests.
import { errorWords } from '#contract/errors.ts';
import { certificateProblem } from '#network/certificate.ts';
import { brokenOff, nobodyThere } from '#network/connection.ts';
import { Final, Garbled, Misdirected, Retryable, Silent, Unauthorized, Unreachable } from '../errors.ts';

/** Description of the answer of a website or login page. */
export const html_page = 'an HTML page';

const busy = new Set([408, 425, 429]);

/** The error for an answer with a status other than 200. `now` in Unix seconds. */
export function refusal(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  path: string,
  now: number,
): Error {
  const parsed = parse(body);
  const words = errorWords(parsed) ?? (body.trimStart().startsWith('<') ? html_page : undefined);
  const sentence = `${path} was answered with ${status}${words ? `: ${words.slice(0, 300)}` : ''}`;
  if (isMisdirected(parsed)) return new Misdirected(sentence, status, regionIn(parsed));
  if (status === 401) return new Unauthorized(words ?? 'the credentials were refused');
  if (status < 300) return new Garbled(sentence);
  if (busy.has(status) || status >= 500) return new Retryable(sentence, status, waitOf(headers, now));
  return new Final(sentence, status);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

type RefusalBody = { error?: { type?: unknown; data?: { region?: unknown } } };

const isMisdirected = (body: unknown): body is RefusalBody =>
  typeof body === 'object' && body !== null && (body as RefusalBody).error?.type === 'misdirected_request';

function regionIn({ error }: RefusalBody): string | undefined {
  const region = error?.data?.region;
  return typeof region === 'string' && /^[a-z]{2,8}$/.test(region) ? region : undefined;
}

/** Seconds to wait; the header holds seconds or a date, which is one of the source's clock and not of ours. */
function waitOf({ 'retry-after': wait, date }: Readonly<Record<string, string>>, now: number): number {
  if (!wait) return 0;
  const seconds = /^\d+$/.test(wait.trim())
    ? Number(wait)
    : (Date.parse(wait) - (Date.parse(date ?? '') || now * 1000)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** The other side is not a trusted TLS endpoint; a retry cannot change that. */
const untrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH)/;

/** The error for a missing answer, from the connection's error. */
export function unanswered(error: unknown, origin: string): Error {
  const { code = '', name, message = String(error) } = error as { code?: string; name?: string; message?: string };
  if (Object.hasOwn(nobodyThere, code))
    return new Silent(`nothing answers at ${origin}: ${nobodyThere[code]} (${code})`);
  if (untrusted.test(code))
    return new Unreachable(
      `no secure connection to ${origin} (${code}): ${certificateProblem(error) ?? 'check the address and its certificate'}`,
    );
  const what = brokenOff[code] ?? (name === 'HTTPParserError' ? 'what answers does not speak HTTP' : message);
  return new Retryable(`no answer from ${origin}: ${what}${code ? ` (${code})` : ''}`);
}
