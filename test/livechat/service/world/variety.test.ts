// Everything the simulated account promises to contain occurs within ninety days, whatever the seed.
import { describe, expect, it } from 'vitest';
import type { ChatEvent, ChatRecord, DayRecords } from '../../../../livechat/service/records.ts';
import { simulated } from './simulated.ts';

const DAY = 86_400;
/** 29 March 2026, 02:00 in Berlin: the clocks jump to 03:00. */
const CLOCKS_CHANGE = Date.UTC(2026, 2, 29, 1) / 1000;

const lines = (chat: ChatRecord, userType: ChatEvent['user_type']) =>
  chat.events.filter((event) => event.type !== 'event' && event.user_type === userType);
const texts = (chat: ChatRecord) => chat.events.map((event) => event.text);
/** What a survey after a chat says is not the opposite of the rating. */
const contradicts = ({ ratings: [rating], postchat_survey: [quality] }: ChatRecord): boolean =>
  (rating?.rate === 'rated_good' && quality?.value === 'Bad') ||
  (rating?.rate === 'rated_bad' && quality !== undefined && quality.value !== 'Bad');
const sales = (chat: ChatRecord) => chat.goals.filter((goal) => goal.type === 'sales_tracker');
const says = (chat: ChatRecord, pattern: RegExp) => texts(chat).some((text) => pattern.test(text));

/** What some chat of the account has to be. */
const CHATS: Record<string, (chat: ChatRecord) => boolean> = {
  queued: (chat) => (chat.queue_seconds ?? 0) > 0,
  'queued for no time': (chat) => chat.queue_seconds === 0,
  'with several agents': (chat) => chat.agents.length > 1,
  'in two groups': (chat) => chat.groups.length > 1,
  'in group 0': (chat) => chat.groups.length === 1 && chat.groups[0] === 0,
  'without an answer': (chat) => lines(chat, 'visitor').length > 0 && lines(chat, 'agent').length === 0,
  'answered by a welcome message only': (chat) =>
    lines(chat, 'agent').length === 1 && chat.events[0]?.user_type === 'agent' && lines(chat, 'visitor').length > 0,
  'without a line of the visitor': (chat) => lines(chat, 'agent').length > 1 && lines(chat, 'visitor').length === 0,
  'begun by the visitor': (chat) => chat.events[0]?.user_type === 'visitor' && lines(chat, 'agent').length > 0,
  'without any message': (chat) => chat.events.every((event) => event.type === 'event'),
  'of zero length': (chat) => chat.ended === chat.started,
  'open while the clocks change': (chat) => chat.started < CLOCKS_CHANGE && CLOCKS_CHANGE < chat.ended,
  'rated good': (chat) => chat.ratings.at(-1)?.rate === 'rated_good',
  'rated bad': (chat) => chat.ratings.at(-1)?.rate === 'rated_bad',
  'with a bare rating': (chat) => chat.ratings.at(-1)?.rate === 'rated',
  'rated the next day': (chat) => chat.ratings.some((rating) => rating.at > chat.ended + DAY),
  'rated twice': (chat) => chat.ratings.length > 1,
  'with a comment': (chat) => chat.ratings.some((rating) => rating.comment !== undefined),
  'tagged the next day': (chat) => chat.tags.some((tag) => tag.at > chat.ended + DAY / 2),
  'tagged VIP': (chat) => chat.tags.some(({ tag }) => tag === 'VIP'),
  'tagged vip': (chat) => chat.tags.some(({ tag }) => tag === 'vip'),
  'with two tags': (chat) => chat.tags.length > 1,
  'with a plain goal': (chat) => chat.goals.some((goal) => goal.type === undefined),
  'with a plain goal that has a price': (chat) =>
    chat.goals.some((goal) => goal.type === undefined && Number(goal.order.price) > 0),
  'with a sale days later': (chat) => sales(chat).some((sale) => sale.at > chat.ended + 3 * DAY),
  'with two sales': (chat) => sales(chat).length > 1,
  'with a price as text': (chat) => sales(chat).some((sale) => /^\d+\.\d\d$/.test(String(sale.order.price))),
  'with a price as a number': (chat) => sales(chat).some((sale) => typeof sale.order.price === 'number'),
  'with a price of zero': (chat) => sales(chat).some((sale) => sale.order.price === '0'),
  'with a sale without a currency': (chat) => sales(chat).some((sale) => sale.order.currency === ''),
  'from a greeting': (chat) => chat.engagement === 'auto_invite',
  'from an invitation': (chat) => chat.engagement === 'manual_invite',
  'with a supervisor': (chat) => chat.supervisors.length > 0 && lines(chat, 'supervisor').length > 0,
  'with a file of the visitor': (chat) =>
    chat.events.some((event) => event.type === 'attachment' && event.user_type === 'visitor'),
  'with a file of the agent that has no agent_id': (chat) =>
    chat.events.some(
      (event) => event.type === 'attachment' && event.user_type === 'agent' && event.agent_id === undefined,
    ),
  'with surveys before and after': (chat) => chat.prechat_survey.length > 0 && chat.postchat_survey.length > 0,
  'with custom variables': (chat) => chat.custom_variables.length > 0,
  'with integration variables': (chat) => chat.integration_variables.length > 0,
  'with a referrer': (chat) => chat.referrer !== null,
  'without a referrer': (chat) => chat.referrer === null,
  'with emoji': (chat) => says(chat, /\p{Extended_Pictographic}/u),
  'in Arabic': (chat) => says(chat, /\p{Script=Arabic}/u),
  'in Hebrew': (chat) => says(chat, /\p{Script=Hebrew}/u),
  'with a line of 16 KB': (chat) => says(chat, /^[^]{16384}$/),
};

describe.each([1, 2, 3])('ninety days with seed %i', (seed) => {
  const { days, chats } = simulated(seed, 90);

  it.each(Object.entries(CHATS))('have a chat %s', (_, is) => {
    expect(chats.some(is)).toBe(true);
  });

  it('have chats over midnight', () => {
    expect(chats.some((chat) => localDate(chat.started) !== localDate(chat.ended))).toBe(true);
  });

  it('have about 250 chats on a working day, fewer at weekends and on holidays', () => {
    const count = (is: (day: DayRecords, weekday: number) => boolean) =>
      median(days.filter((day) => is(day, new Date(day.date).getUTCDay())).map((day) => day.chats.length));
    const working = count((day, weekday) => weekday % 6 > 0 && day.date !== '2026-01-01');
    expect(working).toBeGreaterThan(225);
    expect(working).toBeLessThan(275);
    expect(count((_, weekday) => weekday % 6 === 0)).toBeLessThan(working / 2);
    expect(days[0]?.chats.length).toBeLessThan(working / 3);
  });

  it('have a queue in which some lose patience', () => {
    const entered = chats.filter((chat) => chat.queue_seconds !== null).length;
    const left = days.reduce((sum, day) => sum + day.departures.length, 0);
    expect(entered / chats.length).toBeGreaterThan(0.05);
    expect(entered / chats.length).toBeLessThan(0.25);
    expect(left / (entered + left)).toBeGreaterThan(0.15);
    expect(left / (entered + left)).toBeLessThan(0.5);
  });

  it('have worse ratings after a wait', () => {
    const share = (some: ChatRecord[]) => {
      const rates = some.map((chat) => chat.ratings.at(-1)?.rate);
      const bad = rates.filter((rate) => rate === 'rated_bad').length;
      return bad / (bad + rates.filter((rate) => rate === 'rated_good').length);
    };
    const waited = chats.filter((chat) => (chat.queue_seconds ?? 0) > 120);
    expect(share(waited)).toBeGreaterThan(1.3 * share(chats.filter((chat) => chat.queue_seconds === null)));
  });

  it('have no survey that says the opposite of the rating', () => {
    expect(chats.filter(contradicts)).toEqual([]);
  });

  it('have sales in three currencies', () => {
    const currencies = new Set(chats.flatMap((chat) => sales(chat).map((sale) => sale.order.currency)));
    expect([...currencies].sort()).toEqual(['', 'EUR', 'JPY', 'USD']);
  });

  it('have visitors who come back within a week', () => {
    const last = new Map<string, number>();
    let repeated = 0;
    for (const chat of chats) {
      if (chat.started - (last.get(chat.visitor.id) ?? -Infinity) < 7 * DAY) repeated++;
      last.set(chat.visitor.id, chat.started);
    }
    expect(repeated).toBeGreaterThan(500);
  });

  it('have mostly greetings that nobody accepts', () => {
    const displays = days.flatMap((day) => day.displays);
    const accepted = displays.filter((display) => display.chat_id !== null).length;
    expect(accepted).toBeGreaterThan(1000);
    expect(accepted / displays.length).toBeLessThan(0.3);
  });

  it('have tickets of three sources, reopened, unsolved, rated and rated anew', () => {
    const tickets = days.flatMap((day) => day.tickets);
    expect(new Set(tickets.map((ticket) => ticket.source))).toEqual(new Set(['mail', 'chat', 'chat_window']));
    expect(tickets.some((ticket) => ticket.solved.length > 1)).toBe(true);
    expect(tickets.some((ticket) => ticket.solved.length === 0)).toBe(true);
    expect(tickets.some((ticket) => ticket.first_response === null)).toBe(true);
    expect(tickets.some((ticket) => ticket.assignee === null)).toBe(true);
    expect(tickets.some((ticket) => ticket.ratings.length === 1)).toBe(true);
    expect(tickets.some((ticket) => ticket.ratings.length > 1)).toBe(true);
  });

  it('have shifts over midnight and breaks', () => {
    const statuses = days.flatMap((day) => day.statuses);
    expect(statuses.some((status) => localDate(status.from) !== localDate(status.to))).toBe(true);
    expect(statuses.some((status) => status.status === 'not accepting chats')).toBe(true);
  });
});

describe('the staff', () => {
  const { staff } = simulated(1, 1).world;

  it('is twelve agents in four groups besides the one of everybody', () => {
    expect(staff.agents).toHaveLength(12);
    expect(staff.groups.map((group) => group.id)).toEqual([0, 1, 2, 3, 4]);
    expect(staff.agents.some((agent) => agent.groups.length === 2)).toBe(true);
    expect(staff.agents.every((agent) => /^[a-z.]+@[a-z.]+$/.test(agent.login))).toBe(true);
  });
});

const dateInBerlin = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

function localDate(instant: number): string {
  return dateInBerlin.format(instant * 1000);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
