// Valid values of settings and their meaning. Each check returns a sentence about the problem, or undefined.
import { isColour } from '#dashboards/accent.ts';
import { isZone } from '#contract/query.ts';
import { allowedHost, type AllowedHost } from '#network/reach.ts';
import { problemOf } from '#digests/cron.ts';
import { HOSTILE_SEED } from '#service/world/odd.ts';
import { archiveChoices } from '#etl/source.ts';
import { allFigures, type AgentFigures } from '#warehouse/query/agent-figures.ts';
import { z } from 'zod';
import { rangeIn } from './proxies.ts';

export const wholeNumber = (least: number, most: number) => (value: string) =>
  /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
    ? undefined
    : `must be a whole number from ${least} to ${most}`;

/** TRICKY: separators of lines and marks of direction are no control characters, and yet no part of a line. */
export const shortLine = (most: number) => (value: string) =>
  value.trim() === value &&
  new RegExp(String.raw`^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,${most}}$`, 'u').test(value)
    ? undefined
    : `must be one line of 1 to ${most} characters`;

export const colour = (value: string): string | undefined =>
  isColour(value) ? undefined : 'must be a colour like #0b5c96';

/** Whole numbers fit the generator; `hostile` is a separate seed. */
export const seed = (value: string): string | undefined => {
  const wrong = wholeNumber(0, 2_147_483_647)(value);
  return wrong && value !== 'hostile' ? `${wrong}, or hostile` : undefined;
};

export const seedOf = (value: string): number => (value === 'hostile' ? HOSTILE_SEED : Number(value));

export const address = (value: string): string | undefined => {
  try {
    const { protocol, search, hash, username, password } = new URL(value);
    if (search || hash) return 'must be an address without a query';
    if (username || password || value.includes('@'))
      return 'must be an address without user and password: credentials have settings of their own';
    return protocol === 'https:' || protocol === 'http:' ? undefined : 'must begin with https:// or http://';
  } catch {
    return 'must be an address like https://host or http://127.0.0.1:4010';
  }
};

export const smtp = (value: string): string | undefined => {
  const isAddress = URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '';
  return isAddress ? undefined : 'must be an address like smtp://user:password@host:587 or smtps://host';
};

export const sender = (value: string): string | undefined =>
  /^(?:[^<>\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(value.trim())
    ? undefined
    : 'must be one mail address, such as reports@example.com or Chatledger <reports@example.com>';

export const zone = (value: string): string | undefined =>
  isZone(value) ? undefined : 'must be a name of the TZ database like Europe/Warsaw';

/** TRICKY: the 30th of February can be parsed, and is the 2nd of March. */
const isDay = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

export const date = (value: string): string | undefined =>
  isDay(value) && value >= '2000-01-01' ? undefined : 'must be a date like 2026-01-31, not before 2000-01-01';

/** Five fields, or six with seconds first. */
export const cron = (value: string): string | undefined => {
  const fields = value.trim().split(/\s+/);
  const isCron = fields.length === 5 || (fields.length === 6 && /^(\*(\/[1-9]\d?)?|[0-5]?\d)$/.test(fields[0] ?? ''));
  return isCron && problemOf(fields.slice(-5).join(' ')) === undefined
    ? undefined
    : 'must be a cron expression like */5 * * * *';
};

const units = { MB: 1e6, GB: 1e9, TB: 1e12 };

/** Bytes of a size like `10GB` or `500MB`; undefined if it is not one. */
export function bytesOf(size: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?(MB|GB|TB)$/i.exec(size.trim()) ?? [];
  const bytes = Number(number) * units[unit?.toUpperCase() as keyof typeof units];
  return bytes > 0 ? bytes : undefined;
}

export const size = (value: string): string | undefined =>
  bytesOf(value) === undefined ? 'must be a size like 10GB or 500MB' : undefined;

export const entriesIn = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** The hosts of a list like `hooks.internal, 10.0.0.7:8080`; invalid entries are dropped. */
export const hostsIn = (list: string): AllowedHost[] => entriesIn(list).flatMap((entry) => allowedHost(entry) ?? []);

export const hosts = (value: string): string | undefined =>
  entriesIn(value).every((entry) => allowedHost(entry))
    ? undefined
    : 'must be host names with commas between them, each with or without a port, like hooks.internal or 10.0.0.7:8080';

export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(host);

export const emailAddress = (value: string): string | undefined =>
  z.email().safeParse(value.trim()).success ? undefined : 'must be an e-mail address';

export const proxiesIn = (list: string): string[] => entriesIn(list).filter((entry) => rangeIn(entry) !== undefined);

export const proxies = (value: string): string | undefined =>
  entriesIn(value).every((entry) => rangeIn(entry) !== undefined)
    ? undefined
    : 'must be addresses or ranges with commas between them, like 127.0.0.1, 10.0.0.0/8';

export const onOrOff = (value: string): string | undefined =>
  value === 'on' || value === 'off' ? undefined : 'must be on or off';

/** Origins of a list like `https://intranet.example`, as browsers write them; invalid entries are dropped. */
export const originsIn = (list: string): string[] =>
  entriesIn(list).flatMap((entry) =>
    /^https?:\/\/[^/?#@*;,\s]+\/?$/i.test(entry) && URL.canParse(entry) ? new URL(entry).origin : [],
  );

export const origins = (value: string): string | undefined =>
  originsIn(value).length === entriesIn(value).length
    ? undefined
    : 'must be origins with commas between them, like https://intranet.example, https://wiki.example:8443';

export const archiveSource = (value: string): string | undefined =>
  archiveChoices.some((choice) => choice === value) ? undefined : `must be one of ${archiveChoices.join(', ')}`;

const most_chats = 100_000;

/** The meaning of `all`, `from:20` or `none`; undefined for other texts. */
export function agentFiguresOf(value: string): AgentFigures | undefined {
  if (value === 'all') return allFigures;
  if (value === 'none') return { kind: 'none' };
  const chats = Number(/^from:(\d{1,6})$/.exec(value)?.[1]);
  return chats >= 2 && chats <= most_chats ? { kind: 'from', chats } : undefined;
}

export const agentFigures = (value: string): string | undefined =>
  agentFiguresOf(value)
    ? undefined
    : `must be all, none, or from: and a number of chats from 2 to ${most_chats}, like from:20`;

const least_passphrase = 12;

export const passphrase = (value: string): string | undefined =>
  value.length < least_passphrase ? `must have at least ${least_passphrase} characters` : undefined;

/** Backups go to no address such as `s3://bucket`. */
export const isAddressOfHost = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

export const folderPath = (value: string): string | undefined =>
  isAddressOfHost(value)
    ? 'must be a folder, not an address'
    : /\.tar$/i.test(value)
      ? 'must be a folder, which holds the last ones; `backup NAME.tar` makes a single one'
      : undefined;
