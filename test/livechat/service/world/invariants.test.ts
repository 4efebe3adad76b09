// What holds for every record of the simulated account, whatever the seed. Each is expected of all records at once: an expectation costs
// more than what it looks at.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { StatusInterval } from '../../../../livechat/service/records.ts';
import { ZONE, simulated } from './simulated.ts';

const DAY = 86_400;

describe.each([1, 2, 3])('with seed %i', (seed) => {
  const { world, days, chats } = simulated(seed, 90);

  it('every event lies within its chat and none before the one above it', () => {
    const astray = chats.filter((chat) => {
      let last = chat.started;
      return !chat.events.every(({ at }) => {
        const isWithin = at >= last && at <= chat.ended;
        last = at;
        return isWithin;
      });
    });
    expect(astray).toEqual([]);
  });

  it('chats start on the day that holds them and last at most three hours', () => {
    for (const day of days) {
      const start = Temporal.PlainDate.from(day.date).toZonedDateTime(ZONE);
      const from = start.epochMilliseconds / 1000;
      const to = start.add({ days: 1 }).epochMilliseconds / 1000;
      const isOfDay = (second: number): boolean => second >= from && second < to;
      expect(day.chats.filter(({ started, ended }) => !isOfDay(started) || ended - started >= 3 * 3600)).toEqual([]);
      expect(day.displays.filter(({ at }) => !isOfDay(at))).toEqual([]);
      expect(day.statuses.filter((status) => !isOfDay(status.from))).toEqual([]);
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
    const others = chats.filter((chat) => {
      const person = JSON.stringify(chat.visitor);
      const before = seen.get(chat.visitor.id);
      seen.set(chat.visitor.id, { person, ended: chat.ended });
      return before !== undefined && (before.person !== person || before.ended > chat.started);
    });
    expect(others).toEqual([]);
    expect(seen.size).toBeLessThan(chats.length);
  });

  it('what comes after a chat comes within the days that still settle', () => {
    const late = chats.filter(({ started, ended, goals, tags, ratings }) => {
      const comesAfter = (from: number, all: readonly { at: number }[]): boolean =>
        all.every(({ at }) => at >= from && at <= ended + 6 * DAY);
      return !(comesAfter(started, goals) && comesAfter(started, tags) && comesAfter(ended, ratings));
    });
    expect(late).toEqual([]);
    expect(chats.filter(({ tags }) => new Set(tags.map(({ tag }) => tag)).size !== tags.length)).toEqual([]);
  });

  it('every chat from a greeting has its display, and no other chat has one', () => {
    const displays = days.flatMap((day) => day.displays).filter((display) => display.chat_id !== null);
    const shown = new Map(displays.map((display) => [display.chat_id, display]));
    expect(shown.size).toBe(displays.length);
    const invited = chats.filter((chat) => chat.engagement === 'auto_invite');
    expect(invited.length).toBe(displays.length);
    const unlike = invited.filter(({ id, started, greeting_id, groups }) => {
      const display = shown.get(id);
      return (
        !display ||
        display.at > started ||
        display.greeting !== greeting_id ||
        groups.length !== 1 ||
        groups[0] !== display.group
      );
    });
    expect(unlike).toEqual([]);
    expect(chats.every((chat) => (chat.engagement === 'auto_invite') === (chat.greeting_id !== null))).toBe(true);
  });

  it('statuses of one agent never overlap', () => {
    for (const [, intervals] of byAgent(days.flatMap((day) => day.statuses))) {
      intervals.sort((a, b) => a.from - b.from);
      expect(intervals.filter(({ from, to }, i) => from >= to || to > (intervals[i + 1]?.from ?? Infinity))).toEqual(
        [],
      );
    }
  });

  it('the agent a chat is assigned to accepts chats at that moment and is logged in until it ends', () => {
    const statuses = byAgent(days.flatMap((day) => day.statuses));
    const lastStart = Temporal.PlainDate.from(days.at(-1)?.date ?? '').toZonedDateTime(ZONE).epochMilliseconds / 1000;
    const unattended = chats.filter((chat) => {
      const mine = statuses.get(chat.agents[0]?.email ?? '') ?? [];
      const first = mine.find((interval) => interval.from <= chat.started && chat.started < interval.to);
      if (first?.status !== 'accepting chats') return true;
      // Of a chat that was handed over this agent saw only a part; the day after the last one was not simulated.
      if (chat.agents.length > 1 || chat.ended === chat.started || chat.ended > lastStart + DAY - 3600) return false;
      return !mine.some((interval) => interval.from < chat.ended && chat.ended <= interval.to);
    });
    expect(unattended).toEqual([]);
  });

  it('nobody has more chats at once than allowed', () => {
    for (const agent of world.staff.agents) {
      const edges = chats
        .filter((chat) => chat.agents.length === 1 && chat.agents[0]?.email === agent.login)
        .flatMap((chat) => [[chat.started, 1] as const, [chat.ended, -1] as const])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let open = 0;
      const most = edges.reduce((max, [, step]) => Math.max(max, (open += step)), 0);
      expect(most).toBeLessThanOrEqual(agent.max_chats_count);
    }
  });

  it('names only agents, groups, goals, greetings and tags that the account has', () => {
    const { staff } = world;
    const logins = new Set(staff.agents.map((agent) => agent.login));
    const tags = new Set(staff.tags.map((tag) => tag.name));
    const goals = new Set(staff.goals.map((goal) => goal.id));
    const groups = new Set(staff.groups.map((group) => group.id));
    const named = (chat: (typeof chats)[number]): boolean =>
      chat.agents.every((agent) => logins.has(agent.email)) &&
      chat.tags.every(({ tag }) => tags.has(tag)) &&
      chat.goals.every((goal) => goals.has(goal.id)) &&
      chat.groups.every((group) => groups.has(group));
    expect(chats.filter((chat) => !named(chat))).toEqual([]);
  });

  it('tickets are answered, solved and rated in that order', () => {
    const tickets = days.flatMap((day) => day.tickets);
    const isInOrder = ({ created, first_response, solved }: (typeof tickets)[number]): boolean => {
      const order = [created, first_response ?? created, ...solved];
      return order.every((second, place) => place === 0 || second >= (order[place - 1] ?? 0));
    };
    expect(tickets.filter((ticket) => !isInOrder(ticket))).toEqual([]);
    expect(tickets.filter(({ ratings, solved }) => ratings.length > 0 && solved.length === 0)).toEqual([]);
  });
});

function byAgent(statuses: StatusInterval[]): Map<string, StatusInterval[]> {
  const grouped = new Map<string, StatusInterval[]>();
  for (const status of statuses) grouped.set(status.agent, [...(grouped.get(status.agent) ?? []), status]);
  return grouped;
}
