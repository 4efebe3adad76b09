// The list of chats in the agent's half: active ones first, drawn in place so that the focus stays where it is.
import { element, inShort, timeOf } from './messages.js';

/** Who the chat is with. */
export function customerOf({ users }) {
  const customer = users.find(({ type }) => type === 'customer');
  return customer?.name || customer?.email || 'Visitor';
}

/** What an agent has to know of a chat first. */
export function statusOf(thread) {
  if (!thread?.active) return 'Closed';
  return thread.queue ? `Queue: ${thread.queue.position}` : 'Active';
}

function lastOf({ last_event_per_type = {} }) {
  const events = Object.entries(last_event_per_type)
    .filter(([type]) => type !== 'system_message')
    .map(([, { event }]) => event);
  return events.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];
}

/** Who has the chat, or had it before it was closed. */
function agentsOf({ users, last_thread_summary }) {
  const is_active = last_thread_summary?.active === true;
  return users
    .filter(({ type, present }) => type === 'agent' && (present !== false || !is_active))
    .map(({ name }) => name);
}

function isUnanswered(chat, last) {
  const customer = chat.users.find(({ type }) => type === 'customer');
  return chat.last_thread_summary?.active === true && last !== undefined && last.author_id === customer?.id;
}

function fill(button, chat) {
  const last = lastOf(chat);
  const unanswered = isUnanswered(chat, last);
  const agents = agentsOf(chat);
  const status = statusOf(chat.last_thread_summary);
  const lines = [customerOf(chat), status, last ? inShort(last) : '', agents.join(', ') || 'No agent'];
  const time = last?.created_at ?? chat.last_thread_summary?.created_at;
  const key = JSON.stringify([lines, time, unanswered]);
  if (button.dataset.key === key) return;
  button.dataset.key = key;
  const head = element('span', '', 'head');
  head.append(element('strong', lines[0]), element('time', time ? timeOf(time) : ''));
  const tail = element('span', '', 'tail');
  const badge = element('span', unanswered ? `${status}, unanswered` : status, 'badge');
  badge.classList.toggle('is-active', chat.last_thread_summary?.active === true);
  tail.append(badge, element('span', lines[3]));
  button.replaceChildren(head, element('span', lines[2], 'line'), tail);
}

/** Keeps `list` showing chats; `onOpen` learns which one was chosen. */
export function createInbox(list, onOpen) {
  const items = new Map();
  return (chats, open) => {
    const sorted = [
      ...chats.filter(({ last_thread_summary }) => last_thread_summary?.active),
      ...chats.filter(({ last_thread_summary }) => !last_thread_summary?.active),
    ];
    const ids = new Set(sorted.map(({ id }) => id));
    for (const [id, item] of items) {
      if (ids.has(id)) continue;
      item.remove();
      items.delete(id);
    }
    sorted.forEach((chat, index) => {
      const item = items.get(chat.id) ?? itemOf(chat.id, onOpen);
      items.set(chat.id, item);
      const button = item.firstElementChild;
      fill(button, chat);
      if (chat.id === open) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (list.children[index] === item) return;
      const has_focus = item.contains(document.activeElement);
      list.insertBefore(item, list.children[index] ?? null);
      if (has_focus) button.focus();
    });
  };
}

function itemOf(id, onOpen) {
  const item = element('li');
  const button = element('button');
  button.type = 'button';
  button.addEventListener('click', () => onOpen(id));
  item.append(button);
  return item;
}
