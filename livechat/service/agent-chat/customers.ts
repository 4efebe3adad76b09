// Customers in the Agent Chat Web API v3.5.
import { customerFilters, customerOrders, type Customer } from '#contract/agent-chat/customers.ts';
import { z } from 'zod';
import type { ServiceAccount } from '../account.ts';
import type { CustomerRecord } from '../live-tables.ts';
import { ban, customerNamed, newCustomer, updateCustomer as change } from '../live/customers.ts';
import { end } from '../live/end.ts';
import { activeThreadOf, findChat } from '../live/threads.ts';
import { pageIds, readPage } from '../pages.ts';
import { momentOf } from '../names.ts';
import { writing, type AgentAction } from './action.ts';
import { inSlices } from '../slices.ts';
import { customerList, findCustomers } from './customer-list.ts';

export const createCustomer = writing<'create_customer'>((turn, { account, args }) => {
  const made = newCustomer(account.store, turn.now, args);
  const customer = shownCustomer(account, made);
  turn.changes.push({ action: 'incoming_customer', payload: { customer } });
  return { customer_id: made.id };
});

export const getCustomer: AgentAction<'get_customer'> = ({ account, args }) =>
  shownCustomer(account, customerNamed(account, args.id));

export const updateCustomer = writing<'update_customer'>((turn, { account, author, args: { id, ...profile } }) => {
  change(turn, customerNamed(account, id), profile, author);
  return {};
});

export const banCustomer = writing<'ban_customer'>((turn, { account, author, args }) => {
  const customer = customerNamed(account, args.id);
  const { days } = args.ban;
  const thread = activeThreadOf(account, customer);
  if (thread) {
    const text_vars = { agent: author.name, duration: String(days) };
    end(turn, thread, { type: 'customer_banned', text_vars, user_id: author.id });
  }
  ban(turn, customerNamed(account, args.id), days);
  return {};
});

export const followCustomer = writing<'follow_customer'>((_, { account, author, args }) => {
  const customer = customerNamed(account, args.id);
  account.store.live.putCustomer({ ...customer, followers: [...new Set([...customer.followers, author.id])] });
  return {};
});

export const unfollowCustomer = writing<'unfollow_customer'>((_, { account, author, args }) => {
  const customer = customerNamed(account, args.id);
  account.store.live.putCustomer({ ...customer, followers: customer.followers.filter((id) => id !== author.id) });
  return {};
});

/** What is told of a customer now. */
function shownCustomer(account: ServiceAccount, customer: CustomerRecord): Customer {
  const { store } = account;
  const now = account.now();
  const { id, visitor_id, chat_id, created, name, email, avatar, session_fields = [], greetings } = customer;
  const visits = store.visitsOf(visitor_id).filter(({ started }) => started <= now);
  const last = visits.at(-1);
  const number = last && store.live.numberOf(last.id);
  const record = number === undefined ? undefined : store.body(number);
  const lines = lastLines(account, visitor_id, now);
  return {
    id,
    type: 'customer',
    ...(name && { name }),
    ...(email && { email }),
    ...(avatar && { avatar }),
    created_at: momentOf(created),
    ...(session_fields.length > 0 && { session_fields }),
    statistics: {
      chats_count: findChat(account, chat_id) ? 1 : 0,
      threads_count: visits.length,
      visits_count: visits.length,
      page_views_count: visits.length,
      greetings_shown_count: greetings.shown,
      greetings_accepted_count: greetings.accepted,
    },
    ...(record && {
      last_visit: {
        started_at: momentOf(record.started),
        ...(record.ended <= now && { ended_at: momentOf(record.ended) }),
        ...(record.referrer !== null && { referrer: record.referrer }),
        ip: record.visitor.ip,
        user_agent: record.visitor.user_agent,
        geolocation: placeOf(record.visitor),
        last_pages: [{ opened_at: momentOf(record.started), url: record.chat_start_url }],
      },
    }),
    ...(lines.agent !== null && { agent_last_event_created_at: momentOf(lines.agent) }),
    ...(lines.customer !== null && { customer_last_event_created_at: momentOf(lines.customer) }),
    ...(findChat(account, chat_id) && { chat_ids: [chat_id] }),
  };
}

const placeOf = ({
  country,
  country_code,
  region,
  city,
  timezone,
}: Record<'country' | 'country_code' | 'region' | 'city' | 'timezone', string>) => ({
  ...{ country, country_code, region, city, timezone },
});

function lastLines(
  { store }: ServiceAccount,
  visitor_id: string,
  now: number,
): Record<'agent' | 'customer', number | null> {
  const rows = store.live.rows(
    `select max(case when agent_last <= $now then agent_last end) as agent,
       max(case when customer_last <= $now then customer_last end) as customer
     from chats where visitor_id = $visitor_id and started <= $now`,
    { now, visitor_id },
  );
  return rows[0] as Record<'agent' | 'customer', number | null>;
}

const first = z.object({
  filters: customerFilters,
  sort_by: z.enum(customerOrders),
  order: z.enum(['asc', 'desc']),
  limit: z.int().min(1).max(100),
});
const pages = pageIds('customers', first);

export const listCustomers: AgentAction<'list_customers'> = async ({ account, args, now }) => {
  const { filters = {}, sort_by = 'created_at', sort_order = 'desc', limit = 10 } = args;
  const { first: asked, ...page } = pages.read(args.page_id, { filters, sort_by, order: sort_order, limit }, now);
  const { customerActivity, customers } = account.store;
  customerActivity.upTo(now);
  customers.upToFile();
  const found = findCustomers(customers, asked.filters, now);
  const { keyOf, read } = customerList(customers, found, asked.sort_by);
  const { items, next, previous } = readPage((order, beyond, count) => read({ order, beyond, count }), keyOf, {
    ...asked,
    ...page,
  });
  const shown: Customer[] = [];
  // The places are good for this turn alone.
  const ids = items.map(customers.idAt);
  await inSlices(ids, (id) => shown.push(shownCustomer(account, customerNamed(account, id))));
  return {
    customers: shown,
    total_customers: found.length,
    ...(next && { next_page_id: pages.write(asked, next, false, now) }),
    ...(previous && { previous_page_id: pages.write(asked, previous, true, now) }),
  };
};
