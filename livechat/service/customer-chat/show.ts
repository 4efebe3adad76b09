// A chat as its customer sees it: agents by a hash, nothing that only agents see, properties by right.
import { createHash } from 'node:crypto';
import type {
  CustomerSeesChat,
  CustomerSeesEvent,
  CustomerSeesThread,
  CustomerSeesUser,
} from '#contract/customer-chat/chats.ts';
import type { ThreadEvent } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import { licenseOf } from '../license.ts';
import type { CustomerRecord } from '../live-tables.ts';
import { usersNow, wholeChat, wholeThread } from '../live/show.ts';
import type { Chat, ChatThread } from '../live/threads.ts';
import { readable } from '../threads/properties.ts';

/** An agent's id for customers: it names nobody, and is the same in all chats of the account. */
export const hashedAgent = ({ store }: ServiceAccount, id: string): string =>
  createHash('sha256')
    .update(`agent ${licenseOf(store).organization_id} ${id}`)
    .digest('hex')
    .slice(0, 32);

export function chatForCustomer(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread | undefined,
  now: number,
): CustomerSeesChat {
  const { users, access, properties = {} } = wholeChat(account, chat, thread, now);
  return {
    id: chat.id,
    users: users.flatMap((user) => userForCustomer(account, chat, user)),
    ...(thread && { thread: threadForCustomer(account, chat, thread, now) }),
    access,
    properties: readable(properties, 'chat', 'customer'),
  };
}

export function threadForCustomer(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread,
  now: number,
): CustomerSeesThread {
  const users = usersNow(account, chat, thread, now);
  const { events = [], tags: _, properties = {}, user_ids, ...shown } = wholeThread(account, chat, thread, now, users);
  const hidden = new Set(
    users.flatMap((user) => (user.type === 'agent' && user.visibility === 'agents' ? user.id : [])),
  );
  const own = chat.customer?.id;
  return {
    ...shown,
    user_ids: user_ids.filter((id) => !hidden.has(id)).map((id) => (id === own ? id : hashedAgent(account, id))),
    properties: readable(properties, 'thread', 'customer'),
    events: events.flatMap((event) => eventForCustomer(account, chat, event)),
  };
}

function eventForCustomer(account: ServiceAccount, chat: Chat, event: ThreadEvent): CustomerSeesEvent[] {
  const { visibility, author_id, properties, ...shown } = event;
  const own = chat.customer?.id;
  if (visibility === 'agents' && author_id !== own) return [];
  return [
    {
      ...shown,
      recipients: visibility ?? 'all',
      ...(author_id !== undefined && { author_id: author_id === own ? author_id : hashedAgent(account, author_id) }),
      ...(properties && { properties: readable(properties, 'event', 'customer') }),
    },
  ];
}

function userForCustomer(
  account: ServiceAccount,
  chat: Chat,
  user: ReturnType<typeof wholeChat>['users'][number],
): CustomerSeesUser[] {
  const { present = false } = user;
  if (user.type === 'customer') return chat.customer ? [{ ...profileOf(chat.customer), present }] : [];
  if (user.visibility === 'agents') return [];
  const agent = account.staff.agents.find(({ login }) => login === user.id);
  return [
    {
      ...{ id: hashedAgent(account, user.id), type: 'agent' as const, name: user.name, present },
      ...(user.avatar !== undefined && { avatar: user.avatar }),
      ...(agent && { job_title: agent.job_title }),
    },
  ];
}

/** What a customer sees of themselves. */
export function profileOf({ id, name, email, avatar, session_fields = [] }: CustomerRecord) {
  return {
    ...{ id, type: 'customer' as const },
    ...(name && { name }),
    ...(email && { email }),
    ...(avatar && { avatar }),
    ...(session_fields.length > 0 && { session_fields }),
  };
}
