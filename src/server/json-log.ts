// The log as JSON, one record a line, for programs that collect logs (CHATLEDGER_LOG=json).
import { pino } from 'pino';
import { programVersion } from './program-version.ts';
import type { LogRecords } from './terminal.ts';

const email = /[\p{L}\p{N}._%+-][\p{L}\p{N}._%+'-]*(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/giu;
/** What follows the path of an address may hold what somebody searches for. */
const query = /((?:https?:\/)?\/[^\s?"'<>]*)\?[^\s"'<>]+/g;
const credentials = /\b(Bearer|Basic)\s+[\w.~+/=:-]{4,}/gi;

/** A shorter value is a word that stands in other places too. */
const shortest_secret = 6;

/** The text without e-mail addresses, queries of addresses, credentials, and the values of `secrets`. */
export function withoutPrivate(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret.length >= shortest_secret)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text);
  return known.replace(credentials, '$1 …').replace(query, '$1?…').replace(email, '…@…');
}

/** `write` takes one line with its end; `command` is the one that runs; `secrets` are never written. */
export function createJsonLog(
  write: (line: string) => void,
  command: string,
  secrets: readonly string[] = [],
): LogRecords {
  const logger = pino(
    {
      base: { pid: process.pid, command, version: programVersion },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  const cleaned = (value: unknown): unknown => (typeof value === 'string' ? withoutPrivate(value, secrets) : value);
  return (level, [message = '', ...more], fields = {}) =>
    logger[level](
      Object.fromEntries(
        Object.entries({ ...fields, ...(more.length > 0 ? { details: more.join('\n') } : {}) }).map(
          ([name, value]) => [name, cleaned(value)] as const,
        ),
      ),
      withoutPrivate(message, secrets),
    );
}
