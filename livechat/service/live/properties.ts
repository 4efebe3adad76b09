// Properties that callers set and delete: who may do what, and the ones that are facts of the record (ratings, greetings).
import {
  areWithinLimits,
  hasRight,
  wrongValue,
  type PropertyNames,
  type PropertyOwner,
  type PropertyValues,
} from '#contract/properties.ts';
import type { ChatRating, ChatRecord } from '../records.ts';
import { refuse } from '../refusals.ts';
import { merged } from '../threads/properties.ts';
import type { Author } from './members.ts';
import { note } from './say.ts';
import { liveOf, type ChatThread } from './threads.ts';
import { transcriptEmail } from './transcripts.ts';
import type { Turn } from './turn.ts';

type Greeting = PropertyValues[string];

/** Throws validation unless the author may write all of these to such an owner. */
export function demandValues(values: PropertyValues, owner: PropertyOwner, author: Author['type']): void {
  for (const [namespace, names] of Object.entries(values))
    for (const [name, value] of Object.entries(names)) {
      demandRight({ namespace, name }, owner, author);
      const wrong = wrongValue(namespace, name, value);
      if (wrong !== undefined) throw refuse.v3('validation', `properties.${namespace}.${name}: ${wrong}`);
    }
}

export function demandNames(names: PropertyNames, owner: PropertyOwner, author: Author['type']): void {
  for (const [namespace, listed] of Object.entries(names))
    for (const name of listed) demandRight({ namespace, name }, owner, author);
}

function demandRight(
  property: { namespace: string; name: string },
  owner: PropertyOwner,
  author: Author['type'],
): void {
  if (hasRight('rw', property, owner, author)) return;
  throw refuse.v3(
    'validation',
    `properties.${property.namespace}.${property.name}: cannot be written in ${owner === 'event' ? 'an' : 'a'} ${owner} by ${author}s`,
  );
}

/** The properties with the values over them. Throws limit_reached, to customers validation, when that is more than one owner may have. */
export function withValues(had: PropertyValues, values: PropertyValues, author: Author['type']): PropertyValues {
  const all = merged(had, values);
  if (!areWithinLimits(all))
    throw refuse.v3(author === 'agent' ? 'limit_reached' : 'validation', 'properties: there would be too many');
  return all;
}

/** Sets properties of a thread. The caller saves it. */
export function putProperties(turn: Turn, thread: ChatThread, author: Author, values: PropertyValues): void {
  if (Object.keys(values).length === 0) return;
  demandValues(values, 'thread', author.type);
  const { rating, ...rest } = values;
  const live = liveOf(thread, turn.now);
  const had = transcriptEmail(thread);
  live.properties = withValues(live.properties, rest, author.type);
  const email = transcriptEmail(thread);
  if (email !== undefined && email !== had)
    note(turn, thread, 'transcript_requested', { customer: author.name, email }, 'visitor');
  if (rating) rate(turn, thread, author, rating as { score?: number; comment?: string });
  if (rest.lc2?.greeting_id !== undefined) acceptGreeting(turn, thread.record, rest.lc2);
}

/** Deletes properties of a thread. The caller saves it. */
export function dropProperties(turn: Turn, thread: ChatThread, author: Author, names: PropertyNames): void {
  demandNames(names, 'thread', author.type);
  const live = liveOf(thread, turn.now);
  live.properties = without(live.properties, names);
  if (names.rating?.includes('score')) {
    putRating(thread.record, { at: turn.now, rate: 'not_rated', has_message: true });
    note(turn, thread, 'rating.chat_rating_canceled', { customer: author.name }, 'visitor');
  } else if (names.rating?.includes('comment')) putComment(thread.record, turn.now, undefined);
}

export function without(values: PropertyValues, names: PropertyNames): PropertyValues {
  const left = Object.entries(values).map(([namespace, own]): [string, PropertyValues[string]] => {
    const dropped = Object.hasOwn(names, namespace) ? names[namespace]! : [];
    return [namespace, Object.fromEntries(Object.entries(own).filter(([name]) => !dropped.includes(name)))];
  });
  return Object.fromEntries(left.filter(([, own]) => Object.keys(own).length > 0));
}

function rate(
  turn: Turn,
  thread: ChatThread,
  { name: customer }: Author,
  { score, comment }: { score?: number; comment?: string },
): void {
  const { record } = thread;
  if (score !== undefined) {
    const had = latest(record)?.comment;
    const kept = comment ?? had;
    putRating(record, {
      ...{ at: turn.now, rate: score === 1 ? 'rated_good' : 'rated_bad', has_message: true },
      ...(kept !== undefined && { comment: kept }),
    });
    note(turn, thread, 'rating.chat_rated', { customer, score: score === 1 ? 'good' : 'bad' }, 'visitor');
  } else if (comment !== undefined) putComment(record, turn.now, comment);
  if (comment !== undefined) note(turn, thread, 'rating.chat_commented', { customer, comment }, 'visitor');
}

const latest = ({ ratings }: ChatRecord): ChatRating | undefined => [...ratings].sort((a, b) => a.at - b.at).at(-1);

const putRating = ({ ratings }: ChatRecord, rating: ChatRating): void => void ratings.push(rating);

/** A comment belongs to the rating that applies; without one it stands by itself. */
function putComment(record: ChatRecord, at: number, comment: string | undefined): void {
  const rate = latest(record)?.rate ?? 'not_rated';
  putRating(record, { at, rate, has_message: true, ...(comment !== undefined && { comment }) });
}

/** A thread that a greeting led to is the greeting's success; shown it was when it was seen, at the latest now. */
function acceptGreeting(
  { account, after, now }: Turn,
  record: ChatRecord,
  { greeting_id, greeting_unique_id }: Greeting,
): void {
  const known = account.staff.greetings.find(({ id }) => id === greeting_id);
  if (!known || record.greeting_id !== null || record.engagement === 'manual_invite') return;
  record.greeting_id = known.id;
  record.engagement = 'auto_invite';
  const customer = account.store.live.customerByVisitor(record.visitor.id);
  if (!customer) return;
  const was_seen = customer.greetings.seen.includes(String(greeting_unique_id));
  const { shown, accepted } = customer.greetings;
  const greetings = { ...customer.greetings, shown: was_seen ? shown : shown + 1, accepted: accepted + 1 };
  account.store.live.putCustomer({ ...customer, greetings });
  if (was_seen) return;
  const display = { greeting: known.id, group: known.group, at: now, chat_id: record.id };
  account.store.live.putDisplay(display);
  after.push(() => account.displays.put(display));
}
