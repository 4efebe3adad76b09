// Every report of the contract and who answers it: a missing one does not compile.
import type { ReportHandlers } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import { agentsOccupancy } from './agents_occupancy.ts';
import { availability } from './availability.ts';
import { chatRanking } from './chat_ranking.ts';
import { chatRatings } from './chat_ratings.ts';
import { chattingTime } from './chatting_time.ts';
import { engagement } from './engagement.ts';
import { firstResponseTime } from './first_response_time.ts';
import { goals } from './goals.ts';
import { greetings } from './greetings.ts';
import { notRepliedChats } from './not_replied_chats.ts';
import { queuedVisitors } from './queued_visitors.ts';
import { responseTime } from './response_time.ts';
import { ticketRanking, ticketRatings } from './ticket_ratings.ts';
import { newTickets, solvedTickets, ticketFirstResponseTime, ticketResolutionTime, ticketSources } from './tickets.ts';
import { totalChats } from './total_chats.ts';
import { waitingTimes } from './waiting_times.ts';

export const answersOf = (account: ServiceAccount): ReportHandlers => ({
  total_chats: totalChats(account),
  engagement: engagement(account),
  not_replied_chats: notRepliedChats(account),
  chat_ratings: chatRatings(account),
  chat_ranking: chatRanking(account),
  queued_visitors: queuedVisitors(account),
  waiting_times: waitingTimes(account),
  availability: availability(account),
  chatting_time: chattingTime(account),
  first_response_time: firstResponseTime(account),
  response_time: responseTime(account),
  agents_occupancy: agentsOccupancy(account),
  goals: goals(account),
  greetings: greetings(account),
  new_tickets: newTickets(account),
  ticket_first_response_time: ticketFirstResponseTime(account),
  solved_tickets: solvedTickets(account),
  ticket_resolution_time: ticketResolutionTime(account),
  ticket_sources: ticketSources(account),
  ticket_ratings: ticketRatings(account),
  ticket_ranking: ticketRanking(account),
});
