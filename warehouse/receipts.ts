// The receipt of every metric: how its number is made, by the metric's id. A metric without one fails a test.
import { Refused } from './errors.ts';
import * as chats from './receipts/chats.ts';
import * as goals from './receipts/goals.ts';
import type { Receipt } from './receipts/made.ts';
import * as queue from './receipts/queue.ts';
import * as responses from './receipts/responses.ts';
import * as spans from './receipts/spans.ts';
import * as stored from './receipts/stored.ts';

export const receipts: Readonly<Record<string, Receipt>> = {
  total_chats: chats.totalChats,
  engagement: chats.engagement,
  not_replied_chats: chats.notRepliedChats,
  chat_ratings: chats.chatRatings,
  chat_ranking: chats.chatRanking,
  first_response_time: responses.firstResponseTime,
  response_time: responses.responseTime,
  chatting_time: spans.chattingTime,
  chat_duration: chats.chatDuration,
  concurrent_chats: spans.concurrentChats,
  queued_visitors: queue.queuedVisitors,
  waiting_times: queue.waitingTimes,
  service_level: queue.serviceLevel,
  goals: goals.goals,
  goal_records: goals.goalRecords,
  conversion: goals.conversion,
  greetings: stored.greetings,
  availability: stored.availability,
  tags: chats.tags,
  repeat_contact: chats.repeatContact,
  new_tickets: stored.newTickets,
  ticket_first_response_time: stored.ticketFirstResponseTime,
  solved_tickets: stored.solvedTickets,
  ticket_resolution_time: stored.ticketResolutionTime,
  ticket_sources: stored.ticketSources,
  ticket_ratings: stored.ticketRatings,
  ticket_ranking: stored.ticketRanking,
  net_flow: stored.netFlow,
};

/** The receipt of a metric; a missing one is a mistake of the program. */
export function receiptOf(metric: string): Receipt {
  const found = receipts[metric];
  if (!found) throw new Refused('metric', `${metric} has no receipt yet`);
  return found;
}
