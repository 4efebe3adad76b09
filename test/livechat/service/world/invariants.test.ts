// What holds for every record of the simulated account, whatever the seed.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { StatusInterval } from '../../../../livechat/service/records.ts';
import { ZONE, simulated } from './simulated.ts';

const DAY = 86_400;

describe.each([1, 2, 3])('with seed %i', (seed) => {
  const { world, days, chats } = simulated(seed, 90);

  it('every event lies within its chat and none before the one above it', () => {
    for (const chat of chats) {
      let last = chat.started;
      for (const event of chat.events) {
        expect(event.at >= last && event.at <= chat.ended).toBe(true);
        last = event.at;
      }
    }
  });

  it('chats start on the day that holds them and last at most three hours', () => {
    for (const day of days) {
      const start = Temporal.PlainDate.from(day.date).toZonedDateTime(ZONE);
      const from = start.epochMilliseconds / 1000;
      const to = start.add({ days: 1 }).epochMilliseconds / 1000;
      for (const chat of day.chats) {
        expect(chat.started >= from && chat.started < to && chat.ended - chat.started < 3 * 3600).toBe(true);
      }
      for (const display of day.displays) expect(display.at >= from && display.at < to).toBe(true);
      for (const status of day.statuses) expect(status.from >= from && status.from < to).toBe(true);
    }
  });

  it('no two chats share an id, over all days', () => {
    expect(new Set(chats.map((chat) => chat.id)).size).toBe(chats.length);
    expect(chats.every((chat) => /^[0-9A-Z]{10}$/.test(chat.id))).toBe(true);
    expect(chats.every((chat) => /^S\d{10}\.[0-9a-f]{10}$/.test(chat.visitor.id))).toBe(true);
    const tickets = days.flatMap((day) => day.tickets.map((ticket) => ticket.id));
    expect(new Set(tickets).size).toBe(tickets.length);
  });

  it('visitors of one id are one person, and never in two chats at once', () => {
    const seen = new Map<string, { person: string; ended: number }>();
    for (const chat of chats) {
      const person = JSON.stringify(chat.visitor);
      const before = seen.get(chat.visitor.id);
      if (before) expect([before.person, before.ended <= chat.started]).toEqual([person, true]);
      seen.set(chat.visitor.id, { person, ended: chat.ended });
    }
  });

  it('what comes after a chat comes within the days that still settle', () => {
    for (const chat of chats) {
      for (const goal of chat.goals) expect(goal.at >= chat.started && goal.at <= chat.ended + 6 * DAY).toBe(true);
      for (const tag of chat.tags) expect(tag.at >= chat.started && tag.at <= chat.ended + 6 * DAY).toBe(true);
      for (const rating of chat.ratings)
        expect(rating.at >= chat.ended && rating.at <= chat.ended + 6 * DAY).toBe(true);
      expect(new Set(chat.tags.map(({ tag }) => tag)).size).toBe(chat.tags.length);
    }
  });

  it('every chat from a greeting has its display, and no other chat has one', () => {
    const displays = days.flatMap((day) => day.displays).filter((display) => display.chat_id !== null);
    const shown = new Map(displays.map((display) => [display.chat_id, display]));
    expect(shown.size).toBe(displays.length);
    const invited = chats.filter((chat) => chat.engagement === 'auto_invite');
    expect(invited.length).toBe(displays.length);
    for (const chat of invited) {
      const display = shown.get(chat.id);
      expect(display && display.at <= chat.started).toBe(true);
      expect([display?.greeting, [display?.group]]).toEqual([chat.greeting_id, chat.groups]);
    }
    expect(chats.every((chat) => (chat.engagement === 'auto_invite') === (chat.greeting_id !== null))).toBe(true);
  });

  it('statuses of one agent never overlap', () => {
    for (const [, intervals] of byAgent(days.flatMap((day) => day.statuses))) {
      intervals.sort((a, b) => a.from - b.from);
      intervals.forEach((interval, i) => {
        expect(interval.from < interval.to && interval.to <= (intervals[i + 1]?.from ?? Infinity)).toBe(true);
      });
    }
  });

  it('the agent a chat is assigned to accepts chats at that moment and is logged in until it ends', () => {
    const statuses = byAgent(days.flatMap((day) => day.statuses));
    const lastStart = Temporal.PlainDate.from(days.at(-1)?.date ?? '').toZonedDateTime(ZONE).epochMilliseconds / 1000;
    for (const chat of chats) {
      const mine = statuses.get(chat.agents[0]?.email ?? '') ?? [];
      const first = mine.find((interval) => interval.from <= chat.started && chat.started < interval.to);
      expect(first?.status).toBe('accepting chats');
      // Of a chat that was handed over this agent saw only a part; the day after the last one was not simulated.
      if (chat.agents.length > 1 || chat.ended === chat.started || chat.ended > lastStart + DAY - 3600) continue;
      expect(mine.some((interval) => interval.from < chat.ended && chat.ended <= interval.to)).toBe(true);
    }
  });

  it('nobody has more chats at once than allowed', () => {
    for (const agent of world.staff.agents) {
      const edges = chats
        .filter((chat) => chat.agents.length === 1 && chat.agents[0]?.email === agent.login)
        .flatMap((chat) => [[chat.started, 1] as const, [chat.ended, -1] as const])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let open = 0;
      for (const [, step] of edges) expect((open += step)).toBeLessThanOrEqual(agent.max_chats_count);
    }
  });

  it('names only agents, groups, goals, greetings and tags that the account has', () => {
    const { staff } = world;
    const logins = new Set(staff.agents.map((agent) => agent.login));
    const tags = new Set(staff.tags.map((tag) => tag.name));
    const goals = new Set(staff.goals.map((goal) => goal.id));
    const groups = new Set(staff.groups.map((group) => group.id));
    for (const chat of chats) {
      expect(chat.agents.every((agent) => logins.has(agent.email))).toBe(true);
      expect(chat.tags.every(({ tag }) => tags.has(tag))).toBe(true);
      expect(chat.goals.every((goal) => goals.has(goal.id))).toBe(true);
      expect(chat.groups.every((group) => groups.has(group))).toBe(true);
    }
  });

  it('tickets are answered, solved and rated in that order', () => {
    for (const ticket of days.flatMap((day) => day.tickets)) {
      const order = [ticket.created, ticket.first_response ?? ticket.created, ...ticket.solved];
      expect(order).toEqual([...order].sort((a, b) => a - b));
      if (ticket.ratings.length > 0) expect(ticket.solved.length).toBeGreaterThan(0);
    }
  });
});

function byAgent(statuses: StatusInterval[]): Map<string, StatusInterval[]> {
  const grouped = new Map<string, StatusInterval[]>();
  for (const status of statuses) grouped.set(status.agent, [...(grouped.get(status.agent) ?? []), status]);
  return grouped;
}
