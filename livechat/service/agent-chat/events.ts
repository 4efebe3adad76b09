// Events of the Agent Chat Web API v3.5: what is said, files, postbacks, what was seen, tags, messages outside of chats.
import type { ServiceAccount } from '../account.ts';
import { changeOf } from '../live/change.ts';
import { keepFile } from '../live/files.ts';
import { demandAccess, demandPresence, usersOf } from '../live/members.ts';
import { demandValues } from '../live/properties.ts';
import { pressButton } from '../live/postback.ts';
import { say } from '../live/say.ts';
import { markSeen, see } from '../live/seen.ts';
import { chatNamed, isActive, latestThread, liveOf, openThread, save, threadNamed } from '../live/threads.ts';
import { refuse } from '../refusals.ts';
import { writing, type AgentAction } from './action.ts';

export const sendEvent = writing<'send_event'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread = openThread(turn, chat, args.attach_to_last_thread ?? false);
  const { author_id, visibility = 'all', ...event } = args.event;
  if (author_id !== undefined && author_id !== author.id)
    throw refuse.v3('validation', 'event.author_id: a bot acts with the header X-Author-Id');
  const own = isActive(thread, now)
    ? demandPresence(thread, author, now)
    : usersOf(thread, now).find(({ id }) => id === author.id);
  if (!own) throw refuse.v3('authorization', 'Requester is not user of the chat');
  if (own.visibility === 'agents' && visibility === 'all')
    throw refuse.v3('validation', 'event.visibility: who is seen by agents only cannot speak to all');
  demandValues(event.properties ?? {}, 'event', 'agent');
  const event_id = say(turn, thread, author, { ...event, visibility });
  save(turn, thread);
  see(turn, chat, author.id, now);
  return { event_id };
});

export const uploadFile: AgentAction<'upload_file'> = ({ account, args, origin }) =>
  keepFile(account, args.file, origin);

export const sendPostback = writing<'send_rich_message_postback'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  pressButton(turn, chat, author, args, now);
  return {};
});

export const tagThread = writing<'tag_thread'>((turn, { account, caller, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread = threadNamed(account, chat, args.thread_id);
  const { record } = thread;
  liveOf(thread, now);
  if (record.tags.some(({ at, tag }) => at <= now && tag === args.tag)) return {};
  record.tags.push({ at: now, tag: args.tag });
  save(turn, thread);
  turn.changes.push(changeOf(turn, thread, 'thread_tagged', { chat_id: chat.id, thread_id: record.id, tag: args.tag }));
  return {};
});

export const untagThread = writing<'untag_thread'>((turn, { account, caller, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread = threadNamed(account, chat, args.thread_id);
  const { record } = thread;
  liveOf(thread, now);
  if (!record.tags.some(({ at, tag }) => at <= now && tag === args.tag))
    throw refuse.v3('validation', `tag: the thread has no tag ${args.tag}`);
  record.tags = record.tags.filter(({ tag }) => tag !== args.tag);
  save(turn, thread);
  turn.changes.push(
    changeOf(turn, thread, 'thread_untagged', { chat_id: chat.id, thread_id: record.id, tag: args.tag }),
  );
  return {};
});

export const markEventsAsSeen = writing<'mark_events_as_seen'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  markSeen(turn, chat, author.id, args.seen_up_to, now);
  return {};
});

export const sendTypingIndicator: AgentAction<'send_typing_indicator'> = ({ account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const last = latestThread(account, chat);
  if (!last || !isActive(last, now)) throw refuse.v3('chat_inactive');
  demandPresence(last, author, now);
  // Only clients of the real-time interface are told; this service has the Web interface.
  return {};
};

const isKnown = ({ store }: ServiceAccount, id: string, now: number): boolean =>
  (store.live.customer(id)?.created ?? Infinity) <= now;

/** Nobody is told over the Web interface, and nothing is stored; whoever is named has to exist. */
export const multicast: AgentAction<'multicast'> = ({ account, args, now }) => {
  const { agents, customers } = args.recipients;
  const logins = account.staff.agents.map(({ login }) => login);
  const groups = account.staff.groups.map(({ id }) => id);
  const strange = [
    ...(agents?.ids ?? [])
      .filter((id) => !logins.includes(id) && !account.store.bots.one(id))
      .map((id) => `agent ${id}`),
    ...(agents?.groups ?? []).filter((id) => !groups.includes(id)).map((id) => `group ${id}`),
    ...(customers?.ids ?? []).filter((id) => !isKnown(account, id, now)).map((id) => `customer ${id}`),
  ][0];
  if (strange !== undefined) throw refuse.v3('validation', `recipients: there is no ${strange}`);
  return {};
};
