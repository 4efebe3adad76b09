// Every report of the contract and who answers it from the warehouse: a missing one does not compile.
import type { ReportBody, ReportHandlers, Each, ReportArgs, ReportId } from '#contract/reports.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { localDate } from '#warehouse/periods.ts';
import { availability } from './availability.ts';
import * as chats from './chats.ts';
import { goals, greetings } from './goals.ts';
import { lastFour, occupancyOf } from './occupancy.ts';
import { periodsOf } from './periods.ts';
import { queuedVisitors, waitingTimes } from './queue.ts';
import { rankingOf } from './ranking.ts';
import { reachOf } from './reach.ts';
import { rowsFor } from './rows.ts';
import type { ReportShape } from './period-answer.ts';
import * as tickets from './tickets.ts';

/** Errors: BadArguments, NotPulled. */
export const answersOf = (context: QueryContext): ReportHandlers => ({
  total_chats: byPeriod(context, 'total_chats', chats.totalChats),
  engagement: byPeriod(context, 'engagement', chats.engagement),
  not_replied_chats: byPeriod(context, 'not_replied_chats', chats.notRepliedChats),
  chat_ratings: byPeriod(context, 'chat_ratings', chats.chatRatings),
  chat_ranking: ranked(context, 'chat_ranking'),
  queued_visitors: byPeriod(context, 'queued_visitors', queuedVisitors),
  waiting_times: byPeriod(context, 'waiting_times', waitingTimes),
  availability: byPeriod(context, 'availability', availability),
  chatting_time: byPeriod(context, 'chatting_time', chats.chattingTime),
  first_response_time: byPeriod(context, 'first_response_time', chats.firstResponseTime),
  response_time: byPeriod(context, 'response_time', chats.responseTime),
  agents_occupancy: occupied(context),
  goals: byPeriod(context, 'goals', goals),
  greetings: byPeriod(context, 'greetings', greetings),
  new_tickets: byPeriod(context, 'new_tickets', tickets.newTickets),
  ticket_first_response_time: byPeriod(context, 'ticket_first_response_time', tickets.ticketFirstResponseTime),
  solved_tickets: byPeriod(context, 'solved_tickets', tickets.solvedTickets),
  ticket_resolution_time: byPeriod(context, 'ticket_resolution_time', tickets.ticketResolutionTime),
  ticket_sources: byPeriod(context, 'ticket_sources', tickets.ticketSources),
  ticket_ratings: byPeriod(context, 'ticket_ratings', tickets.ticketRatings),
  ticket_ranking: ranked(context, 'ticket_ranking'),
});

const byPeriod =
  <K extends ReportId>(context: QueryContext, id: K, { byCurrency, each }: ReportShape<K>) =>
  async (args: ReportArgs): Promise<Record<string, Each<K>>> => {
    const reach = await reachOf(context);
    const periods = periodsOf(context, reach, args);
    const { grouping } = periods;
    const asked = { id, args, grain: grouping };
    const rows = await rowsFor(context, reach, periods, asked);
    const split = byCurrency ? await rowsFor(context, reach, periods, { ...asked, split: 'currency' }) : [];
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
  (context: QueryContext, id: 'chat_ranking' | 'ticket_ranking') =>
  async (args: ReportArgs): Promise<ReportBody<'chat_ranking'>> => {
    const reach = await reachOf(context);
    const periods = periodsOf(context, reach, args);
    return rankingOf(await rowsFor(context, reach, periods, { id, args, grain: 'total' }));
  };

const occupied =
  (context: QueryContext): ReportHandlers['agents_occupancy'] =>
  async (args) => {
    const reach = await reachOf(context);
    const zone = args.timezone ?? context.account.timezone;
    const days = lastFour(args.weekday ?? 'mon', localDate(zone, context.now));
    const whole = { ...args, date_from: days[0], date_to: days.at(-1) };
    const periods = periodsOf(context, reach, whole);
    const asked = { id: 'agents_occupancy', args, grain: 'hour' } as const;
    return occupancyOf(days, await rowsFor(context, reach, periods, asked));
  };
