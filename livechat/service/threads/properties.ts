// Properties of a thread: derived from its record, with those over them that callers set.
import { hasRight, type PropertyOwner, type PropertyReader, type PropertyValues } from '#contract/properties.ts';
import type { Thread } from '#contract/threads.ts';
import type { ChatRecord, LiveThread } from '../records.ts';
import { userList } from '../user-list.ts';
import { readTurns } from '../turns.ts';

type Properties = NonNullable<Thread['properties']>;

export function merged<T>(
  under: Record<string, Record<string, T>>,
  over: Record<string, Record<string, T>>,
): Record<string, Record<string, T>> {
  const namespaces = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries(
    [...namespaces].map((namespace) => [namespace, { ...ownOf(under, namespace), ...ownOf(over, namespace) }]),
  );
}

const ownOf = <T>(properties: Record<string, T>, namespace: string): T | undefined =>
  Object.hasOwn(properties, namespace) ? properties[namespace] : undefined;

export function propertiesOf(chat: ChatRecord, now: number): Properties {
  const { rate, comment } = [...chat.ratings].sort((a, b) => a.at - b.at).findLast(({ at }) => at <= now) ?? {};
  const score = rate === 'rated_good' ? 1 : rate === 'rated_bad' ? 0 : undefined;
  const { live } = chat;
  const is_assigned = userList(chat, now).some(
    ({ type, present, visibility }) => type === 'agent' && present && visibility === 'all',
  );
  const derived: Properties = {
    routing: {
      continuous: false,
      idle: live?.is_idle ?? false,
      unassigned: now < chat.ended ? !is_assigned : chat.agents.length === 0,
      unreplied: !readTurns(chat).is_replied,
      start_url: chat.chat_start_url,
      ...(chat.referrer !== null && { referrer: chat.referrer }),
    },
    ...(score !== undefined && { rating: { score, ...(comment && { comment }) } }),
    ...(chat.greeting_id !== null && { lc2: { greeting_id: chat.greeting_id } }),
    source: sourceOf(chat),
  };
  return live ? merged(derived, live.properties as PropertyValues & Properties) : derived;
}

/** Those of a chat, a thread or an event that such a caller may read; a namespace of which nothing is left is left out. */
export function readable<T>(
  properties: Record<string, Record<string, T>>,
  owner: PropertyOwner,
  reader: PropertyReader,
): Record<string, Record<string, T>> {
  const kept = Object.entries(properties).map(([namespace, own]): [string, Record<string, T>] => [
    namespace,
    Object.fromEntries(Object.entries(own).filter(([name]) => hasRight('r', { namespace, name }, owner, reader))),
  ]);
  return Object.fromEntries(kept.filter(([, own]) => Object.keys(own).length > 0));
}

const widget = 'customer-widget';
/** The two differ when an agent began the chat. */
export function sourceOf({
  engagement,
  live,
}: Pick<ChatRecord, 'engagement'> & { live?: Pick<LiveThread, 'client_id'> | undefined }) {
  const { client_id } = live ?? {};
  return engagement === 'manual_invite'
    ? { client_id: client_id ?? 'agent-application', customer_client_id: widget }
    : { client_id: client_id ?? widget, customer_client_id: client_id ?? widget };
}
