// Agents online and occupancy, counted once more by plain loops over what the service serves: zones, half hours, days of 23 and 25 hours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, daysBetween } from '#etl/days.ts';
import { weekdays } from '#warehouse/periods.ts';
import { run } from '../warehouse/query-context.ts';
import { servedBy, subjectOf, type Subject } from './agree.ts';

/** An account whose clocks go back, one whose clocks go back by half an hour, one between the hours, one whose clocks go forward. */
const accounts = [
  { zone: 'Europe/Warsaw', now: '2026-10-29T09:13:05Z', days: 6 },
  { zone: 'Australia/Lord_Howe', now: '2026-04-09T09:13:05Z', days: 6 },
  { zone: 'Asia/Kathmandu', now: '2026-05-20T12:40:00Z', days: 5 },
  { zone: 'America/New_York', now: '2026-03-12T21:05:00Z', days: 6 },
] as const;

interface Served {
  agents: string[];
  groups: { id: number; agents: string[] }[];
  /** Hours accepting chats by agent and local hour, as the report gives them. */
  hours: Map<string, Map<string, number>>;
  /** Chats as [start, end, agents]. */
  chats: [number, number, string[]][];
}

/** A chat as the archive gives it. */
interface ArchivedChat {
  started_timestamp: number;
  ended_timestamp: number;
  agents: { email: string }[];
}

async function served(subject: Subject, days: readonly string[]): Promise<Served> {
  const agents = ((await servedBy(subject, '/agents', {})) as { login: string }[]).map(({ login }) => login);
  const groups = (await servedBy(subject, '/groups', {})) as { id: number; agents?: string[] }[];
  const hours = new Map<string, Map<string, number>>();
  for (const agent of agents) {
    const own = new Map<string, number>();
    for (const day of days) {
      const asked = { agent, date_from: day, date_to: day, group_by: 'hour', timezone: subject.zone };
      const answer = (await servedBy(subject, '/reports/availability', asked)) as Record<string, { hours: number }>;
      for (const [hour, { hours: minutes }] of Object.entries(answer)) own.set(`${day} ${hour}`, minutes / 60);
    }
    hours.set(agent, own);
  }
  const chats: Served['chats'] = [];
  for (const day of days)
    for (let page = 1, last = 1; page <= last; page++) {
      const asked = { date_from: day, date_to: day, timezone: subject.zone, page: String(page) };
      const answer = (await servedBy(subject, '/chats', asked)) as { chats: ArchivedChat[]; pages: number };
      last = answer.pages;
      for (const chat of answer.chats)
        chats.push([chat.started_timestamp, chat.ended_timestamp, chat.agents.map(({ email }) => email)]);
    }
  return { agents, groups: groups.map(({ id, agents: own = [] }) => ({ id, agents: own })), hours, chats };
}

/** The local hour in which each second from `from` on lies, minute by minute, by the clock of the runtime. */
function localHours(zone: string, from: number, until: number): [minute: number, hour: string][] {
  const clock = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  });
  const minutes: [number, string][] = [];
  for (let minute = from; minute < until; minute += 60) {
    const part = Object.fromEntries(clock.formatToParts(minute * 1000).map(({ type, value }) => [type, value]));
    minutes.push([minute, `${part.year}-${part.month}-${part.day} ${part.hour}:00`]);
  }
  return minutes;
}

const weekdayOf = (hour: string): string =>
  weekdays[(new Date(`${hour.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '';
const cellOf = (hour: string): string => `${weekdayOf(hour)} ${hour.slice(11, 13)}`;

/** Adds a number to what stands at a key. */
const add = (sums: Map<string, number>, key: string, value: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + value);

/** Seconds in which an agent has a chat open, by key of the local hour: second by second would be the same. */
function chattingBy(
  { chats }: Served,
  agents: readonly string[],
  minutes: readonly [number, string][],
  keyOf: (hour: string) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const agent of agents) {
    const own = chats.filter(([, , theirs]) => theirs.includes(agent));
    for (const [minute, hour] of minutes) {
      const near = own.filter(([start, end]) => start < minute + 60 && end > minute);
      let seconds = 0;
      for (let second = minute; near.length > 0 && second < minute + 60; second++)
        if (near.some(([start, end]) => start <= second && second < end)) seconds += 1;
      if (seconds > 0) add(sums, keyOf(hour), seconds);
    }
  }
  return sums;
}

describe.each(accounts)('an account in $zone', ({ zone, now, days: count }) => {
  const second = Date.parse(now) / 1000;
  let subject: Subject;
  let known: Served;
  let days: string[];
  let minutes: [number, string][];
  let range: { from: string; to: string };
  const asked = (engine: Subject) => ({ account: 'default', zone: engine.zone, now: second });

  beforeAll(async () => {
    subject = await subjectOf(3, zone, count, second, 'online');
    // The first day of an account is whole only as far as somebody lived in it; chats of the day before run into the range.
    const first = addDays(subject.service.firstDay, 1);
    const begin = second - count * 86_400;
    const all = localHours(zone, Math.floor(begin / 60) * 60, second);
    range = { from: first, to: all.at(-1)?.[1].slice(0, 10) ?? first };
    days = daysBetween(range.from, range.to);
    minutes = all.filter(([, hour]) => days.includes(hour.slice(0, 10)));
    known = await served(subject, [subject.service.firstDay, ...days]);
  });
  afterAll(() => subject.close());

  /** Seconds of real time by key, up to the clock of the service. */
  const passedBy = (keyOf: (hour: string) => string): Map<string, number> => {
    const passed = new Map<string, number>();
    for (const [minute, hour] of minutes) add(passed, keyOf(hour), Math.min(60, second - minute));
    return passed;
  };
  const availableBy = (agents: readonly string[], keyOf: (hour: string) => string): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const agent of agents)
      for (const [hour, hours] of known.hours.get(agent) ?? [])
        if (days.includes(hour.slice(0, 10))) add(sums, keyOf(hour), hours * 3600);
    return sums;
  };

  it('has as many agents online in each hour of the week as the hours of every agent say', async () => {
    const question = { ...range, timezone: zone, grain: 'total', split: 'weekday,hour_of_day' };
    const { rows } = await run(subject.engine, 'agents_online', question, asked(subject));
    const [available, passed] = [availableBy(known.agents, cellOf), passedBy(cellOf)];
    expect(passed.size).toBeGreaterThan(90);
    for (const row of rows) {
      const cell = `${row.weekday} ${row.hour_of_day}`;
      const seconds = passed.get(cell);
      if (seconds === undefined) expect(row.mean).toBeNull();
      else expect(row.mean, cell).toBeCloseTo((available.get(cell) ?? 0) / seconds, 7);
    }
    const most = Math.max(...rows.map(({ mean }) => Number(mean)));
    expect(most).toBeGreaterThan(0.5);
    expect(most).toBeLessThanOrEqual(known.agents.length);
  });

  it('has of a group those who are its members, and of an agent the share of time', async () => {
    const group = known.groups.find(({ agents }) => agents.length > 1 && agents.length < known.agents.length);
    const dayOf = (hour: string): string => hour.slice(0, 10);
    const passed = passedBy(dayOf);
    const whose = [
      { question: { group: String(group?.id) }, agents: group?.agents ?? [] },
      { question: { agent: known.agents[1] ?? '' }, agents: [known.agents[1] ?? ''] },
      { question: { agent: [known.agents[1] ?? '', known.agents[2] ?? ''] }, agents: known.agents.slice(1, 3) },
    ];
    for (const { question, agents } of whose) {
      expect(agents.length).toBeGreaterThan(0);
      const { rows } = await run(
        subject.engine,
        'agents_online',
        { ...range, timezone: zone, ...question },
        asked(subject),
      );
      const available = availableBy(agents, dayOf);
      expect(rows).toHaveLength(days.length);
      // Days are rounded to hundredths of an hour, hours to minutes: half of one for each agent and hour of a day.
      for (const { period, mean } of rows) {
        const seconds = passed.get(String(period)) ?? 0;
        const off = (agents.length * 25 * 36) / seconds;
        expect(Math.abs(Number(mean) - (available.get(String(period)) ?? 0) / seconds)).toBeLessThanOrEqual(off);
      }
    }
  });

  it('spends of the available time on chats what laying out every second of every agent says', async () => {
    const question = { ...range, timezone: zone, grain: 'total', split: 'hour_of_day' };
    const hourOf = (hour: string): string => hour.slice(11, 13);
    const { rows } = await run(subject.engine, 'occupancy', question, asked(subject));
    const [available, chatting] = [availableBy(known.agents, hourOf), chattingBy(known, known.agents, minutes, hourOf)];
    for (const { hour_of_day, occupancy, chatting: hours } of rows) {
      const at = String(hour_of_day);
      expect(Number(hours) * 3600, at).toBeCloseTo(chatting.get(at) ?? 0, 4);
      if (!available.get(at)) expect(occupancy).toBeNull();
      else expect(occupancy, at).toBeCloseTo((chatting.get(at) ?? 0) / (available.get(at) ?? 1), 9);
    }
    const byAgent = await run(
      subject.engine,
      'occupancy',
      { ...range, timezone: zone, grain: 'total', split: 'agent' },
      asked(subject),
    );
    const whole = await run(subject.engine, 'occupancy', { ...range, timezone: zone, grain: 'total' }, asked(subject));
    const sum = (name: string): number => byAgent.rows.reduce((total, row) => total + Number(row[name]), 0);
    expect(whole.rows[0]?.occupancy).toBeCloseTo(sum('chatting') / sum('available'), 12);
    for (const agent of known.agents.slice(0, 3)) {
      const own = [...chattingBy(known, [agent], minutes, () => '').values()][0] ?? 0;
      expect(Number(byAgent.rows.find((row) => row.agent === agent)?.chatting) * 3600).toBeCloseTo(own, 4);
    }
  });
});
