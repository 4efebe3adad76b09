// The goals, greetings, canned responses and tags of the simulated account.
import type { CannedResponseRecord, GoalRecord, GreetingRecord, GreetingRule, TagRecord } from '../records.ts';
import { MAIL_DOMAIN } from './staff.ts';

const DAY = 86_400;

export const GOALS: readonly GoalRecord[] = [
  {
    id: 1041,
    name: 'Checkout reached',
    active: 1,
    type: 'url',
    details: { url: '/checkout', match_type: 'substring' },
  },
  {
    id: 1181,
    name: 'Newsletter signed',
    active: 1,
    type: 'custom_variable',
    details: { custom_variable_name: 'newsletter', custom_variable_value: 'true' },
  },
  { id: 1203, name: 'Test ride booked', active: 1, type: 'api', details: {} },
  { id: 1207, name: 'Summer fair', active: 0, type: 'url', details: { url: '/fair', match_type: 'exact' } },
  { id: 1320, name: 'Web shop', active: 1, type: 'sales_tracker', details: tracker(1320, 'dynamic', '', 'EUR') },
  { id: 1322, name: 'Service plan', active: 1, type: 'sales_tracker', details: tracker(1322, 'set', '49.50', 'EUR') },
];

export const GREETINGS: readonly GreetingRecord[] = [
  greeting(2291, 1, 'Time on site: 30 sec', 'Hello, how may I help you?', [
    { id: 8201, value: '30', type: 'visit_time_site', operator: 'equals', condition: 'and' },
  ]),
  greeting(2411, 1, 'Returning visitor', 'Hello again! Still thinking about that bike? 🚲', [
    { id: 8191, value: '2', type: 'visits_number', operator: 'greater_or_equal', condition: 'and' },
  ]),
  greeting(2451, 2, 'Reading the manual', 'Stuck with the setup? We can look at it together.', [
    { id: 8241, value: '/support', type: 'url_current', operator: 'contains', condition: 'and' },
    { id: 8251, value: '15', type: 'visit_time_page', operator: 'greater_than', condition: 'and' },
  ]),
  greeting(2471, 4, 'Full cart', 'Shipping is free today. Can I help you to finish your order?', [
    {
      id: 8261,
      type: 'custom_variable',
      operator: 'equals',
      condition: 'and',
      variable_name: 'empty_cart',
      variable_value: 'false',
    },
    { id: 8281, value: 'cart', type: 'url_current', operator: 'contains', condition: 'and' },
  ]),
  greeting(2483, 3, 'Invoice page', 'Questions about an invoice? Ask us right here.', [
    { id: 8301, value: '/invoices', type: 'url_current', operator: 'contains', condition: 'and' },
  ]),
  { ...greeting(2490, 0, 'Old campaign', 'Winter sale is on!', []), active: false },
];

const TAG_NAMES: readonly [name: string, group: number][] = [
  ['sales', 1],
  ['quote', 1],
  ['VIP', 1],
  ['vip', 0],
  ['support', 2],
  ['bug', 2],
  ['firmware', 2],
  ['billing', 3],
  ['refund', 3],
  ['shipping', 4],
  ['return', 4],
  ['complaint', 0],
  ['feedback', 0],
  ['spam', 0],
  ['follow up', 0],
  ['wichtig/übermorgen', 0],
];

/** Tags suited to a group's chats, the most common first. */
export function tagsOfGroup(group: number): string[] {
  return TAG_NAMES.filter((tag) => tag[1] === group).map((tag) => tag[0]);
}

/** All tags, created in the weeks before the first day. */
export function createTags(opened: number): TagRecord[] {
  return TAG_NAMES.map(([name, group], i) => ({
    name,
    author: `${i % 2 ? 'marek.zielinski' : 'amelia.hart'}@${MAIL_DOMAIN}`,
    creation_date: opened - (30 - i) * DAY + i * 611,
    group,
  }));
}

/** All canned responses; some have been modified since they were created. */
export function createCannedResponses(opened: number): CannedResponseRecord[] {
  return CANNED.map(([group, text, tags], i) => ({
    id: 3151 + i * 10,
    group,
    text,
    creation_date: opened - (25 - i) * DAY + i * 997,
    created_by: `amelia.hart@${MAIL_DOMAIN}`,
    ...(i % 3 === 0 ? { modification_date: opened - 2 * DAY + i, modified_by: `marek.zielinski@${MAIL_DOMAIN}` } : {}),
    tags,
  }));
}

const CANNED: readonly [group: number, text: string, tags: string[]][] = [
  [0, 'Can I help you with anything else?', ['help', 'else']],
  [0, 'Thank you for your patience, I am still looking into it.', ['patience']],
  [1, 'Our bikes come with a five year warranty on the frame.', ['warranty']],
  [2, 'Please hold the power button for ten seconds and tell me what the light does.', ['reset', 'power']],
  [3, 'The invoice has been sent to your e-mail address.', ['invoice']],
  [4, 'You can return everything within 30 days; the label is in the parcel.', ['return', 'label']],
];

function greeting(id: number, group: number, name: string, text: string, rules: GreetingRule[]): GreetingRecord {
  return { id, active: true, name, group, rules, message_text: text };
}

function tracker(id: number, valueType: string, value: string, currency: string): Record<string, string | number> {
  return {
    sales_tracker_id: id,
    value_type: valueType,
    value,
    currency,
    time_range: 7,
    order_field_name: 'order_id',
    value_field_name: 'total',
  };
}
