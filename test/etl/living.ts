// An account behind HTTP whose chats a test adds, changes and removes, with faults on demand before it.
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { pageSize, type ArchivedChat } from '#contract/archive.ts';
import { addDays, dayOf, daysBetween } from '#etl/days.ts';
import { createChaos, type Chaos } from '#service/chaos/chaos.ts';
import { createAccount, daysOf, generatedChat } from '../../bench/account.ts';

export interface Living {
  url: string;
  chaos: Chaos;
  /** The first local day; the zone is UTC. */
  since: string;
  /** A new chat on a day, counted from the first; the same place gives the same chat. */
  arrive(day: number): void;
  /** Another version of one of the chats; `place` is taken round. Nothing happens without chats. */
  change(place: number, how: (chat: ArchivedChat) => Partial<ArchivedChat>): void;
  remove(place: number): void;
  /** Called once, when so many pages of chats have been asked from now on. */
  after(pages: number, act: () => void): void;
  /** What still waits for pages happens now. */
  settle(): void;
  close(): Promise<void>;
}

/** `now` in Unix seconds; `days` local days that end with it, each with so many chats. */
export async function livingAccount(now: number, days: number, chats_a_day: number): Promise<Living> {
  const since = addDays(dayOf(now, 'UTC'), 1 - days);
  // Lists and the reports that are not asked for come from the generated account.
  const { answer } = createAccount(daysOf(since, days, 1), 'UTC', now);
  const chats: ArchivedChat[] = [];
  let born = 0;
  let waiting: { pages: number; act: () => void } | undefined;
  const settle = (): void => {
    waiting?.act();
    waiting = undefined;
  };
  const arrive = (day: number): void => {
    const started = Date.parse(`${addDays(since, day % days)}T00:00:00Z`) / 1000 + ((born * 523) % 30_000);
    chats.push(generatedChat(born++, started));
  };
  for (let day = 0; day < days; day += 1) for (let count = 0; count < chats_a_day; count += 1) arrive(day);

  // Without a zone it is arithmetic, which reports do for every chat and cell.
  const dayOfChat = ({ started_timestamp }: ArchivedChat): string =>
    new Date(started_timestamp * 1000).toISOString().slice(0, 10);
  const pageOf = (query: URLSearchParams): object => {
    waiting = waiting && { ...waiting, pages: waiting.pages - 1 };
    if (waiting && waiting.pages <= 0) settle();
    const found = chats
      .filter((chat) => dayOfChat(chat) === query.get('date_from'))
      .sort((one, other) => other.started_timestamp - one.started_timestamp || (one.id < other.id ? -1 : 1));
    const page = Number(query.get('page') ?? 1);
    const shown = found.slice((page - 1) * pageSize, page * pageSize);
    return { chats: shown, total: found.length, pages: Math.ceil(found.length / pageSize) };
  };
  const countOf = (
    query: URLSearchParams,
    day: string,
    hour?: number,
  ): { chats: number; good: number; bad: number } => {
    const found = chats.filter(
      (chat) =>
        dayOfChat(chat) === day &&
        (hour === undefined || new Date(chat.started_timestamp * 1000).getUTCHours() === hour) &&
        (!query.has('group') || chat.group.includes(Number(query.get('group')))) &&
        (!query.has('agent') || chat.agents.some(({ email }) => email === query.get('agent'))),
    );
    const rated = (rate: string): number => found.filter((chat) => chat.rate === rate).length;
    return { chats: found.length, good: rated('rated_good'), bad: rated('rated_bad') };
  };
  const reportOf = (query: URLSearchParams, each: (counts: ReturnType<typeof countOf>) => object): object => {
    const [from = '', to = ''] = [query.get('date_from') ?? since, query.get('date_to') ?? since];
    if (query.get('group_by') === 'hour')
      return Object.fromEntries(
        Array.from({ length: 24 }, (_, hour) => [
          `${String(hour).padStart(2, '0')}:00`,
          each(countOf(query, from, hour)),
        ]),
      );
    return Object.fromEntries(daysBetween(from, to).map((day) => [day, each(countOf(query, day))]));
  };
  const door = (request: Request): Response => {
    const { pathname, searchParams: query, search } = new URL(request.url);
    if (pathname === '/chats') return Response.json(pageOf(query));
    if (pathname === '/reports/chats/total_chats') return Response.json(reportOf(query, ({ chats }) => ({ chats })));
    if (pathname === '/reports/chats/ratings') return Response.json(reportOf(query, (counts) => counts));
    const body = answer(`${pathname}${search}`);
    return body === undefined ? new Response('{"error":"Not Found"}', { status: 404 }) : new Response(body);
  };
  const layer = createChaos(null, () => now);
  const server = createAdaptorServer({
    fetch: (request, wire) => layer.around(request, wire as HttpBindings, door),
    overrideGlobalObjects: false,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (place: number): number => place % Math.max(1, chats.length);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chaos: layer,
    ...{ since, arrive },
    change(place, how) {
      const chat = chats[at(place)];
      if (chat) chats[at(place)] = { ...chat, ...how(chat) };
    },
    remove: (place) => void chats.splice(at(place), 1),
    after: (pages, act) => void (waiting = { pages, act }),
    settle,
    close: () => new Promise((resolve) => (closeConnections(server), server.close(() => resolve()))),
  };
}

function closeConnections(server: ReturnType<typeof createAdaptorServer>): void {
  if ('closeAllConnections' in server) server.closeAllConnections();
}
