// Every report of the contract and who answers it from the warehouse: a missing one does not compile.
import type { Answer, Answers, Each, ReportArgs, ReportId } from '#contract/reports.ts';
import { localDate } from '#warehouse/periods.ts';
import { reachOf, type Account } from './account.ts';
import { availability } from './availability.ts';
import * as chats from './chats.ts';
import { goals, greetings } from './goals.ts';
import { lastFour, occupancyOf } from './occupancy.ts';
import { periodsOf } from './periods.ts';
import { queuedVisitors, waitingTimes } from './queue.ts';
import { rankingOf } from './ranking.ts';
import { rowsFor } from './rows.ts';
import type { Shape } from './shape.ts';
import * as tickets from './tickets.ts';

/** Answers of one account. Errors: BadArguments, NotPulled. */
export const answersOf = (account: Account): Answers => ({
  total_chats: byPeriod(account, 'total_chats', chats.totalChats),
  engagement: byPeriod(account, 'engagement', chats.engagement),
  not_replied_chats: byPeriod(account, 'not_replied_chats', chats.notRepliedChats),
  chat_ratings: byPeriod(account, 'chat_ratings', chats.chatRatings),
  chat_ranking: ranked(account, 'chat_ranking'),
  queued_visitors: byPeriod(account, 'queued_visitors', queuedVisitors),
  waiting_times: byPeriod(account, 'waiting_times', waitingTimes),
  availability: byPeriod(account, 'availability', availability),
  chatting_time: byPeriod(account, 'chatting_time', chats.chattingTime),
  first_response_time: byPeriod(account, 'first_response_time', chats.firstResponseTime),
  response_time: byPeriod(account, 'response_time', chats.responseTime),
  agents_occupancy: occupied(account),
  goals: byPeriod(account, 'goals', goals),
  greetings: byPeriod(account, 'greetings', greetings),
  new_tickets: byPeriod(account, 'new_tickets', tickets.newTickets),
  ticket_first_response_time: byPeriod(account, 'ticket_first_response_time', tickets.ticketFirstResponseTime),
  solved_tickets: byPeriod(account, 'solved_tickets', tickets.solvedTickets),
  ticket_resolution_time: byPeriod(account, 'ticket_resolution_time', tickets.ticketResolutionTime),
  ticket_sources: byPeriod(account, 'ticket_sources', tickets.ticketSources),
  ticket_ratings: byPeriod(account, 'ticket_ratings', tickets.ticketRatings),
  ticket_ranking: ranked(account, 'ticket_ranking'),
});

const byPeriod =
  <K extends ReportId>(account: Account, id: K, { metric, byCurrency, each }: Shape<K>) =>
  async (args: ReportArgs): Promise<Record<string, Each<K>>> => {
    const reach = await reachOf(account);
    const periods = periodsOf(account, reach, args);
    const { grouping } = periods;
    const asked = { id, metric, args, grain: grouping };
    const rows = await rowsFor(account, reach, periods, asked);
    const split = byCurrency ? await rowsFor(account, reach, periods, { ...asked, split: 'currency' }) : [];
    const byName = new Map(rows.map((row) => [row.period, row]));
    const currenciesOf = Map.groupBy(split, (row) => row.period);
    return Object.fromEntries(
      periods.labels.map((label) => {
        const period = periods.periodOf(label);
        const around = { args, grouping, months: periods.clip(label), currencies: currenciesOf.get(period) ?? [] };
        return [label, each(byName.get(period) ?? {}, around)];
      }),
    );
  };

const ranked =
  (account: Account, id: 'chat_ranking' | 'ticket_ranking') =>
  async (args: ReportArgs): Promise<Answer<'chat_ranking'>> => {
    const reach = await reachOf(account);
    const periods = periodsOf(account, reach, args);
    return rankingOf(await rowsFor(account, reach, periods, { id, metric: id, args, grain: 'total' }));
  };

const occupied =
  (account: Account): Answers['agents_occupancy'] =>
  async (args) => {
    const reach = await reachOf(account);
    const zone = args.timezone ?? account.zone;
    const days = lastFour(args.weekday ?? 'mon', localDate(zone, account.now));
    const whole = { ...args, date_from: days[0], date_to: days.at(-1) };
    const periods = periodsOf(account, reach, whole);
    const asked = { id: 'agents_occupancy', metric: 'concurrent_chats', args, grain: 'hour' } as const;
    return occupancyOf(days, await rowsFor(account, reach, periods, asked));
  };
