// An account of generated chats that answers according to the contract: pages of 25, none after the 1000th, reports by day and hour.
import { pageSize, lastPage } from '#contract/archive.ts';
import { reports, weekdays, type ReportId } from '#contract/reports.ts';
import { addDays, boundsOf, dayOf, daysBetween, weekdayOf } from '#etl/days.ts';
import { archivedChatOf } from './pages.ts';

export interface GeneratedDay {
  day: string;
  /** Number of its first chat, and the number of chats. */
  first: number;
  count: number;
}

/** Consecutive days with the given number of chats, oldest first. */
export function daysOf(from: string, chats: number, chats_a_day: number): GeneratedDay[] {
  const days: GeneratedDay[] = [];
  for (let first = 0, day = from; first < chats; first += chats_a_day, day = addDays(day, 1))
    days.push({ day, first, count: Math.min(chats_a_day, chats - first) });
  return days;
}

export interface GeneratedAccount {
  /** The JSON body for a path, or undefined for an unknown path. */
  answer(path: string): string | undefined;
}

const agents = 8;
const groups = 4;
const tags = 12;

/** `now` in Unix seconds: its day is the default for questions without a date. */
export function createAccount(days: readonly GeneratedDay[], zone: string, now: number): GeneratedAccount {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const found = new Map<string, number[]>();
  const startOf = ({ day, first, count }: GeneratedDay, number: number): number =>
    boundsOf(day, zone).first + Math.floor(((number - first) * 80_000) / count);
  const numbersOf = (day: GeneratedDay, query: URLSearchParams): number[] => {
    const filters = [...query].filter(([name]) => !['date_from', 'date_to', 'timezone', 'page'].includes(name));
    const key = `${day.day} ${JSON.stringify(filters)}`;
    let numbers = found.get(key);
    if (!numbers) {
      numbers = Array.from({ length: day.count }, (_, place) => day.first + day.count - 1 - place);
      numbers = numbers.filter((number) => filters.every(([name, value]) => fits(number, name, value)));
      if (found.size > 100) found.clear();
      found.set(key, numbers);
    }
    return numbers;
  };
  const archivePage = (query: URLSearchParams): string => {
    const page = Number(query.get('page') ?? 1);
    const day = byDay.get(query.get('date_from') ?? '');
    const numbers = day ? numbersOf(day, query) : [];
    const pages = Math.ceil(numbers.length / pageSize);
    const shown = page <= lastPage ? numbers.slice((page - 1) * pageSize, page * pageSize) : [];
    const chats = day ? shown.map((number) => generatedChat(number, startOf(day, number))) : [];
    return JSON.stringify({ chats, total: numbers.length, pages: Math.min(pages, lastPage) });
  };
  return {
    answer(path) {
      const { pathname, searchParams: query } = new URL(path, 'http://source');
      if (pathname === '/chats') return archivePage(query);
      const list = lists[pathname];
      if (list) return JSON.stringify(list);
      const id = (Object.keys(reports) as ReportId[]).find((name) => reports[name].path === pathname);
      return id && JSON.stringify(reportOf(id, query, byDay, dayOf(now, zone)));
    },
  };
}

/** The chats of the benchmark, with fewer agents and groups, as a small account has. */
export function generatedChat(number: number, started: number) {
  const chat = archivedChatOf(number, started);
  const agent = agentOf(number % agents);
  return {
    ...chat,
    agents: [{ display_name: agent.name, email: agent.login }],
    group: [number % groups],
    tags: number % 3 === 0 ? [`tag-${number % tags}`] : [],
  };
}

const agentOf = (number: number) => ({ login: `agent${number}@example.com`, name: `Agent ${number}` });

function fits(number: number, name: string, value: string): boolean {
  if (name === 'group') return number % groups === Number(value);
  if (name === 'agent') return agentOf(number % agents).login === value;
  if (name === 'tag[]') return number % 3 === 0 && `tag-${number % tags}` === value;
  if (name === 'tagged') return (number % 3 === 0) === (value === '1');
  if (name === 'queued') return (number % 3 === 0) === (value === '1');
  if (name === 'rate') return value === ['rated_good', 'not_rated', 'not_rated', 'rated_bad'][number % 4];
  throw new Error(`the generated account has no filter ${name}`);
}

const status = 'accepting chats';
const lists: Record<string, unknown> = {
  '/agents': Array.from({ length: agents }, (_, number) => ({
    ...agentOf(number),
    ...{ permission: 'normal', avatar: '', status },
  })),
  '/groups': Array.from({ length: groups }, (_, id) => ({
    id,
    name: `Group ${id}`,
    language: 'en',
    agents: [],
    status,
  })),
  '/tags': Array.from({ length: tags }, (_, number) => ({
    ...{ name: `tag-${number}`, author: agentOf(0).login, creation_date: 1_600_000_000 },
    ...{ count: { inChats: 0, inTickets: 0 }, group: 0 },
  })),
  '/goals': [],
  '/greetings': [],
  '/canned_responses': [],
  '/status': { status: 'online' },
};

const none = { count: 0 };
const noWait = { count: 0, min: { seconds: 0 }, max: { seconds: 0 }, average: { seconds: 0 } };
const noHours = { count: 0, hours: null };
/** A report's content for a period with this many chats. */
const said: { [id in ReportId]: (chats: number) => unknown } = {
  total_chats: (chats) => ({ chats }),
  engagement: (chats) => ({
    chats_from_auto_invite: 0,
    chats_from_immediate_start: chats,
    chats_from_manual_invite: 0,
  }),
  not_replied_chats: () => ({ not_replied: 0 }),
  chat_ratings: (chats) => ({ bad: 0, good: 0, chats }),
  chat_ranking: () => [],
  queued_visitors: () => ({ queued: none, left_queue: none, entered_chat: none }),
  waiting_times: () => ({ queued: noWait, left_queue: noWait, entered_chat: noWait }),
  availability: () => ({ hours: 8.5 }),
  chatting_time: () => ({ hours: 7.25 }),
  first_response_time: (count) => ({ first_response_time: { count, seconds: count ? 12.5 : null } }),
  response_time: (count) => ({ avg_response_time: { count, seconds: count ? 20.25 : null } }),
  agents_occupancy: () => 3,
  goals: () => ({ goals: 0, value: {} }),
  greetings: () => ({ displayed: 0, accepted: 0, goals: 0 }),
  new_tickets: () => ({ new_tickets: 0 }),
  ticket_first_response_time: () => noHours,
  solved_tickets: () => ({ solved_tickets: 0 }),
  ticket_resolution_time: () => noHours,
  ticket_sources: () => ({ tickets_from_chat_window: 0, tickets_from_mail: 0, tickets_from_chat: 0 }),
  ticket_ratings: () => ({ bad: 0, good: 0 }),
  ticket_ranking: () => [],
};

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

function reportOf(
  id: ReportId,
  query: URLSearchParams,
  days: ReadonlyMap<string, GeneratedDay>,
  today: string,
): unknown {
  if (reports[id].keyed === 'ranking') return { ranking: [] };
  if (reports[id].keyed === 'moment') {
    const wanted = weekdays.indexOf(query.get('weekday') as (typeof weekdays)[number]) + 1;
    const recent = daysBetween(addDays(today, -27), today).filter((day) => weekdayOf(day) === wanted);
    return Object.fromEntries(recent.flatMap((day) => hours.map((hour) => [`${day} ${hour}`, said[id](0)])));
  }
  const [from, to] = [query.get('date_from') ?? today, query.get('date_to') ?? today];
  if (query.get('group_by') === 'hour') return Object.fromEntries(hours.map((hour) => [hour, said[id](0)]));
  const isWhole = !query.has('group') && !query.has('agent');
  return Object.fromEntries(
    daysBetween(from, to).map((day) => [day, said[id](isWhole ? (days.get(day)?.count ?? 0) : 0)]),
  );
}
