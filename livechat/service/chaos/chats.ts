// Content faults of archived chats: prices, missing lines, impossible times, characters that break stores.
import type { Fault } from './fault.ts';
import { content, isObject, leavesOf, objectsOf, put, recordsOf, speaksOf, type Json } from './records.ts';

const v2Chats = speaksOf('archive', 'chat');
const anyChats = speaksOf('archive', 'chat', 'threads');

const ten_years = 10 * 365 * 86_400;
const is_instant = /^\d{4}-\d{2}-\d{2}T/;

/** Orders of goals in the chats whose price has this type. */
const ordersWith = (type: 'string' | 'number', chats: Json[]): Json[] =>
  chats
    .flatMap((chat) => objectsOf(chat.goals))
    .flatMap(({ order }) => (isObject(order) && typeof order.price === type ? [order] : []));

/** Shifts every Unix second and every UTC text of a chat by `seconds`. */
function shift(chat: Json, seconds: number): void {
  for (const leaf of leavesOf(chat)) {
    if (typeof leaf.value === 'number' && leaf.key.includes('timestamp')) put(leaf, leaf.value + seconds);
    if (typeof leaf.value === 'string' && is_instant.test(leaf.value))
      put(leaf, new Date(Date.parse(leaf.value) + seconds * 1000).toISOString().replace('Z', '000Z'));
  }
}

/** The object that holds the lines of a chat. */
const linesHolder = (chat: Json): Json => (isObject(chat.thread) ? chat.thread : chat);
const linesOf = (chat: Json): Json[] => objectsOf(linesHolder(chat).events);

export const chats = {
  price_as_number: content('harmless', 'prices of orders as numbers', v2Chats, (body, { question }) => {
    const orders = ordersWith('string', recordsOf(question, body)).filter(({ price }) => price !== '');
    for (const order of orders) order.price = Number(order.price);
    return orders.length > 0;
  }),
  price_as_text: content('harmless', 'prices of orders as text', v2Chats, (body, { question }) => {
    const orders = ordersWith('number', recordsOf(question, body));
    for (const order of orders) order.price = String(order.price);
    return orders.length > 0;
  }),
  no_messages: content('hidden', 'one chat has no messages and no events', anyChats, (body, { question, random }) => {
    const spoken = recordsOf(question, body).filter((chat) => linesOf(chat).length > 0);
    if (spoken.length === 0) return false;
    const chat = random.pick(spoken);
    linesHolder(chat).events = [];
    if ('messages' in chat) chat.messages = [];
    return true;
  }),
  future_times: content('visible', 'one chat happens ten years later', anyChats, (body, { question, random }) => {
    const found = recordsOf(question, body);
    if (found.length === 0) return false;
    shift(random.pick(found), ten_years);
    return true;
  }),
  ends_before_start: content('visible', 'one chat ends before it starts', v2Chats, (body, { question, random }) => {
    const ended = recordsOf(question, body).filter((chat) => typeof chat.ended_timestamp === 'number');
    if (ended.length === 0) return false;
    const chat = random.pick(ended);
    chat.ended_timestamp = Number(chat.started_timestamp) - 3600;
    return true;
  }),
  odd_letters: content(
    'harmless',
    'a line ends in a NUL, half of a surrogate pair and a right-to-left mark',
    anyChats,
    (body, { question, random }) => {
      const lines = recordsOf(question, body).flatMap(linesOf);
      const spoken = lines.filter(({ text }) => typeof text === 'string');
      if (spoken.length === 0) return false;
      const line = random.pick(spoken);
      line.text = `${String(line.text)}\u0000\ud83d\u202e`;
      return true;
    },
  ),
} as const satisfies Record<string, Fault>;
