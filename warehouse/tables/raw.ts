// The tables of the raw archive, a separate file with the source's answers as received. Everything else can be recreated from it.
import { text, int, instant, maybe, account, type Column, type Table } from './table.ts';

const raw = (name: string, comment: string, columns: Record<string, Column>, key: string[], order = key): Table => ({
  schema: 'raw',
  name,
  comment,
  columns,
  key,
  order,
});

const hash = text('SHA-1 of the text as received, base64url');

/** One row per answer. A question that gets the same answers again on the same UTC day moves `last_received_at` only. */
export const rawResponses = raw(
  'responses',
  'Every answer as received: who was asked what and when, status, headers that matter and the hash of the body.',
  {
    account,
    timezone: text('IANA zone in which the account was pulled'),
    source: text('report, list or archive'),
    period: text('local day asked about, or first and last with a slash between; empty for lists'),
    unit: text('the question as the pull plans it, JSON'),
    state: text(
      'what came of the question: answered, failed, not_in_plan, gone or quarantined; unfinished while pages are missing',
    ),
    outcome: text('what the pull said of the question as a whole, JSON: total, shortfall, failure'),
    position: int('0-based place among the answers to the question, in the order in which they came'),
    path: text('path and query as sent'),
    status: int('HTTP status; 0 when no answer came'),
    headers: text('headers that matter, JSON'),
    hash: maybe({ ...hash, comment: 'hash of the body, see bodies; null when no answer came' }),
    error: maybe(text('why the answer could not be used')),
    attempts: int('which try at the path this was, from 1, when it was last asked'),
    bytes: int('bytes over the wire when it was last asked'),
    milliseconds: int('time to the last byte when it was last asked'),
    asked_at: instant('when it was last sent (UTC)'),
    received_on: { type: 'date', comment: 'UTC day of the answer' },
    received_at: instant('when the answer was received (UTC)'),
    last_received_at: instant('when the same answer was received for the last time on that day (UTC)'),
    times: int('how often it was received on that day'),
    pull_id: text('the pull that asked first'),
    last_pull_id: text('the pull that asked last'),
    sequence: int('number of the question within the first pull'),
    last_sequence: int('number of the question within the last pull'),
  },
  ['account', 'received_on', 'pull_id', 'sequence', 'position'],
  ['account', 'received_on', 'received_at', 'sequence', 'position'],
);

/** A page of chats is stored without its chats, which are in `raw.chats`; reassembled, it equals the body byte for byte. */
export const rawBodies = raw(
  'bodies',
  'Bodies by their hash, each stored once.',
  {
    hash,
    form: text('whole, or page: then the body is a JSON array of texts and, at odd places, hashes of chats'),
    body: text('body as received'),
  },
  ['hash'],
);

/** Every version of a chat that was ever received. */
export const rawChats = raw(
  'chats',
  'Every version of every archived chat as received, each stored once.',
  {
    account,
    period: text('local day under which the chat was received'),
    chat_id: text('chat id; empty when the record has none'),
    hash,
    body: text('record as received, JSON'),
    received_at: instant('when this version was first received (UTC)'),
    pull_id: text('the pull that brought this version first'),
  },
  ['account', 'period', 'hash'],
  ['account', 'period', 'chat_id'],
);

/** Version of the layout of these tables. */
export const rawVersion = 2;

/** Metadata of the file. */
export const rawAbout = raw(
  'versions',
  'Layout of this file, and the moment from which on it has every answer.',
  {
    version: int('version of the layout'),
    begun_at: instant('first answer kept here (UTC)'),
    thinned_until: { type: 'date', comment: 'UTC day before which answers that leave no trace are gone' },
  },
  ['version'],
);

export const rawTables: readonly Table[] = [rawResponses, rawBodies, rawChats, rawAbout];
