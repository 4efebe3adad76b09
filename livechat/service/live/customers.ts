// Customers: made, changed, banned. While a customer has an active chat, what is changed waits until that has ended.
import { randomBytes } from 'node:crypto';
import type { ServiceAccount } from '../account.ts';
import { refuse } from '../refusals.ts';
import { chatIdOf, customerId } from '../names.ts';
import type { ChatStore } from '../store.ts';
import type { CustomerProfile, CustomerRecord } from '../live-tables.ts';
import { changeOf } from './change.ts';
import type { Author } from './members.ts';
import { note } from './say.ts';
import { activeThreadOf, findChat, liveOf, save, saveChat, type Chat, type ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

const day = 86_400;
type SessionFields = NonNullable<CustomerProfile['session_fields']>;

/** A customer whom nobody knew, written. */
export function newCustomer(store: ChatStore, now: number, profile: CustomerProfile): CustomerRecord {
  const visitor_id = `S${now}.${randomBytes(5).toString('hex')}`;
  const customer: CustomerRecord = {
    ...{ id: customerId(visitor_id), visitor_id, chat_id: chatIdOf(visitor_id), created: now },
    ...{ country: '', country_code: '', followers: [], greetings: { shown: 0, accepted: 0, seen: [] } },
    ...given(profile),
  };
  store.live.putCustomer(customer);
  return customer;
}

/** The customer of that id. Throws not_found, also for one whose first visit lies ahead. */
export function customerNamed({ store, now }: ServiceAccount, id: string): CustomerRecord {
  const customer = store.live.customer(id);
  if (!customer || customer.created > now()) throw refuse.v3('not_found', `there is no customer ${id}`);
  return customer;
}

/** Changes what is known of a customer, or remembers to; what an agent changes during a chat is said there. */
export function updateCustomer(turn: Turn, customer: CustomerRecord, profile: CustomerProfile, by?: Author): void {
  const { account } = turn;
  const thread = activeThreadOf(account, customer);
  if (!thread) {
    account.store.live.putCustomer({ ...customer, ...given(profile) });
    return;
  }
  // A chat that nobody has touched ends without a word: from here on it goes on by its callers, and its end makes the change.
  liveOf(thread, turn.now);
  if (by) noteUpdate(turn, thread, customer, profile, by);
  save(turn, thread);
  const update = { ...customer.update, ...given(profile) };
  account.store.live.putCustomer({ ...customer, update });
  tell(turn, thread, customer, update.session_fields ?? customer.session_fields ?? []);
}

/** Bots are what the vendor calls integrations: the message does not name them. */
function noteUpdate(
  turn: Turn,
  thread: ChatThread,
  { update, ...known }: CustomerRecord,
  { name, email }: CustomerProfile,
  { id, name: initiator }: Author,
): void {
  const before = { ...known, ...update };
  const changed = {
    ...(name !== undefined && name !== before.name && { customer_name: name }),
    ...(email !== undefined && email !== before.email && { customer_email: email }),
  };
  if (Object.keys(changed).length === 0) return;
  const is_bot = turn.account.store.bots.one(id) !== undefined;
  note(turn, thread, 'customer_updated', { ...(!is_bot && { initiator }), ...changed }, 'agent');
}

/** Sets the session fields of a customer at once, and those of their active chat. */
export function setSessionFields(turn: Turn, customer: CustomerRecord, session_fields: SessionFields): void {
  const { live } = turn.account.store;
  const { update, ...rest } = customer;
  const { session_fields: _, ...later } = update ?? {};
  live.putCustomer({ ...rest, session_fields, ...(Object.keys(later).length > 0 && { update: later }) });
  const thread = activeThreadOf(turn.account, customer);
  if (!thread) return;
  liveOf(thread, turn.now);
  thread.record.custom_variables = variablesOf(session_fields);
  save(turn, thread);
  tell(turn, thread, customer, session_fields);
}

/** Session fields as the archive of v2.0 has them. */
export const variablesOf = (session_fields: SessionFields): { key: string; value: string }[] =>
  session_fields.flatMap((pair) => Object.entries(pair).map(([key, value]) => ({ key, value })));

function tell(turn: Turn, thread: ChatThread, { id, chat_id }: CustomerRecord, session_fields: SessionFields): void {
  const payload = { id, active_chat: { chat_id, thread_id: thread.record.id }, session_fields };
  turn.changes.push(changeOf(turn, thread, 'customer_session_fields_updated', payload));
}

/** Makes the remembered changes once the chat has ended. */
export function applyUpdate({ account }: Turn, { update, ...customer }: CustomerRecord): void {
  if (update) account.store.live.putCustomer({ ...customer, ...update });
}

/** A chat of agents becomes that of the customer, who has none. The caller writes the thread. */
export function giveChat(turn: Turn, chat: Chat, id: string): CustomerRecord {
  const { account, now } = turn;
  const customer = customerNamed(account, id);
  if (isBanned(customer, now)) throw refuse.v3('authorization', 'the customer is banned');
  if (findChat(account, customer.chat_id)) throw refuse.v3('limit_reached', 'the customer has a chat already');
  chat.customer = { ...customer, chat_id: chat.id };
  account.store.live.putCustomer(chat.customer);
  chat.state.visitor_id = customer.visitor_id;
  saveChat(turn, chat);
  return chat.customer;
}

export function ban({ account, now }: Turn, customer: CustomerRecord, days: number): void {
  account.store.live.putCustomer({ ...customer, banned_until: now + days * day });
}

export const isBanned = ({ banned_until = 0 }: CustomerRecord, now: number): boolean => now < banned_until;

const given = (profile: CustomerProfile): CustomerProfile =>
  Object.fromEntries(
    (['name', 'email', 'avatar', 'session_fields'] as const).flatMap((field) =>
      profile[field] === undefined ? [] : [[field, profile[field]]],
    ),
  );
