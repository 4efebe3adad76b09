// The contract's shapes against samples of the documents, shortened.
import { expect, it } from 'vitest';
import { archivedGoal } from '#contract/archive.ts';
import { reports, type ReportId } from '#contract/reports.ts';
import { inherited } from '../../dashboards/inherited.ts';

const samples: [ReportId, unknown][] = [
  ['total_chats', { chats: 18 }],
  ['engagement', { chats_from_auto_invite: 1, chats_from_immediate_start: 0, chats_from_manual_invite: 3 }],
  ['not_replied_chats', { not_replied: 33 }],
  ['chat_ratings', { begin: '2012-01-29', end: '2012-01-31', bad: 0, good: 6, chats: 37 }],
  ['chat_ranking', { good: 2502, bad: 426, total: 2928, score: 0.8361489669658251, name: 'john.doe@mycompany.com' }],
  ['queued_visitors', { queued: { count: 6 }, left_queue: { count: 3 }, entered_chat: { count: 3 } }],
  ['availability', { hours: 7.85 }],
  ['chatting_time', { hours: 8.17 }],
  ['first_response_time', { first_response_time: { count: 0, seconds: null } }],
  ['response_time', { avg_response_time: { count: 5, seconds: 0.83 } }],
  ['agents_occupancy', 13],
  ['goals', { begin: '2013-01-01', end: '2013-01-30', goals: 4, value: { EUR: { sales_count: 1, value: 49.5 } } }],
  ['greetings', { begin: '2014-01-13', end: '2014-01-31', displayed: 274, accepted: 190, goals: 40 }],
  ['new_tickets', { new_tickets: 5 }],
  ['ticket_first_response_time', { count: 0, hours: null }],
  ['solved_tickets', { solved_tickets: 4 }],
  ['ticket_resolution_time', { count: 3, hours: 16.27 }],
  ['ticket_sources', { tickets_from_chat_window: 4, tickets_from_mail: 12, tickets_from_chat: 2 }],
  ['ticket_ratings', { begin: '2012-01-29', end: '2012-01-31', bad: 0, good: 6 }],
];

it.each(samples)('%s reads the sample of the documents', (id, sample) => {
  expect(reports[id].each.parse(sample)).toEqual(sample);
});

it('a report may leave out nothing and may add what nobody knows', () => {
  expect(reports.total_chats.each.safeParse({}).success).toBe(false);
  expect(reports.total_chats.each.parse({ chats: 1, missed_chats: 2 })).toEqual({ chats: 1 });
  expect(reports.availability.each.parse({ minutes: 30 })).toEqual({ minutes: 30 });
  expect(reports.goals.each.parse({ goals: 0, value: [] })).toEqual({ goals: 0, value: {} });
  expect(reports.goals.each.safeParse({ goals: 0, value: [1] }).success).toBe(false);
});

it('no name of a currency is left out', () => {
  const text = `{"goals":1,"value":{${inherited.map((name) => `"${name}":{"sales_count":1,"value":2}`).join()}}}`;
  const { value } = reports.goals.each.parse(JSON.parse(text));
  expect(Object.keys(value)).toEqual(inherited);
});

it('a price may be text or a number, and an order may be empty', () => {
  const goal = { id: 71, name: 'g' };
  expect(archivedGoal.parse({ ...goal, order: { price: '199' } }).order.price).toBe('199');
  expect(archivedGoal.parse({ ...goal, order: { price: 199 } }).order.price).toBe(199);
  expect(archivedGoal.parse({ ...goal, order: {} }).order).toEqual({});
});
