// Customers that pass the filters of list_customers, in any of its orders: counted, and read from beside one of them on.
import type { CustomerFilters, customerOrders, RangeKind, TextFilter } from '#contract/agent-chat/customers.ts';
import type { ServiceAccount } from '../account.ts';
import type { ItemKey, Order } from '../pages.ts';
import { secondOf } from '../names.ts';

type CustomerOrder = (typeof customerOrders)[number];
type Bind = (value: string | number) => string;

/** A customer in the list, by what the list is in order of; ties are in the order of creation. */
export interface ListedCustomer {
  id: string;
  value: number;
  created: number;
}

export const customerKey = ({ value, created, id }: ListedCustomer): ItemKey => [
  value,
  `${String(created).padStart(12, '0')} ${id}`,
];

const createdOf = (tie: string): number => Number(tie.slice(0, 12));
const idOf = (tie: string): string => tie.slice(13);

export function countCustomers(account: ServiceAccount, filters: CustomerFilters, now: number): number {
  const { store } = account;
  const without = withoutExclusion(filters);
  if (without) return countCustomers(account, without.all, now) - countCustomers(account, without.excluded, now);
  const { bind, values } = binding();
  const tests = testsOf(filters, now, bind);
  if (tests.length === 0) return store.live.customersUntil(now);
  const rows = store.live.rows(
    `select count(*) as found from customers where created <= ${bind(now)} and ${tests.join(' and ')}`,
    values,
  );
  return Number(rows[0]!.found);
}

/**
 * Most customers pass a filter that excludes some: they are all without those, and those are found by an index. Undefined without such a
 * filter.
 */
function withoutExclusion(filters: CustomerFilters): { all: CustomerFilters; excluded: CustomerFilters } | undefined {
  for (const field of ['country', 'email', 'name', 'customer_id', 'chat_group_ids'] as const) {
    const { exclude_values: values } = filters[field] ?? {};
    if (values) return { all: { ...filters, [field]: undefined }, excluded: { ...filters, [field]: { values } } };
  }
  const { include_customers_without_chats: has_all, chats_count, ...others } = filters;
  const counts = [0, 1].filter((count) => (has_all !== false || count > 0) && isWithin(chats_count ?? {}, count));
  const is_excluding = (has_all === false || chats_count !== undefined) && counts.join() === '1';
  return is_excluding ? { all: others, excluded: { ...others, chats_count: { eq: 0 } } } : undefined;
}

const isWithin = ({ lte, lt, gte, gt, eq }: Partial<Record<RangeKind, number | undefined>>, count: number): boolean =>
  count <= (lte ?? count) &&
  count < (lt ?? Infinity) &&
  count >= (gte ?? count) &&
  count > (gt ?? -Infinity) &&
  count === (eq ?? count);

/** At most so many customers beyond the key, nearest first. */
export function readCustomers(
  { store }: ServiceAccount,
  { filters, sort_by }: { filters: CustomerFilters; sort_by: CustomerOrder },
  { order, beyond, count }: { order: Order; beyond: ItemKey | undefined; count: number },
  now: number,
): ListedCustomer[] {
  const { bind, values } = binding();
  const tests = [`created <= ${bind(now)}`, ...testsOf(filters, now, bind)];
  const beyondIt = order === 'asc' ? '>' : '<';
  const value = orders[sort_by];
  // Without a value the order is that of an index.
  const keys = value === undefined ? ['created', 'id'] : ['value', 'created', 'id'];
  const listed = `select id, created, ${value ?? 0} as value from customers where ${tests.join(' and ')}`;
  const [at, tie = ''] = beyond ?? [];
  const place = at === undefined ? [] : [...(value === undefined ? [] : [at]), createdOf(tie), idOf(tie)];
  const rows = store.live.rows(
    `select id, created, value from (${listed})
     ${place.length > 0 ? `where (${keys.join()}) ${beyondIt} (${place.map(bind).join()})` : ''}
     order by ${keys.map((key) => `${key} ${order}`).join()} limit ${bind(count)}`,
    values,
  );
  return rows as unknown as ListedCustomer[];
}

/** Values of a statement by name, in the order in which they were bound. */
function binding(): { bind: Bind; values: Record<string, string | number> } {
  const values: Record<string, string | number> = {};
  const bind: Bind = (value) => {
    const name = `value${Object.keys(values).length}`;
    values[name] = value;
    return `$${name}`;
  };
  return { bind, values };
}

/** Of the chats of a customer that have begun. */
const ofChats = (expression: string, now: number, bind: Bind, more = ''): string =>
  `(select ${expression} from chats where visitor_id = customers.visitor_id and started <= ${bind(now)}${more})`;

const isWaiting = 'exists (select 1 from uncounted_threads where uncounted_threads.chat_id = customers.chat_id)';
const hasChat = `(threads > 0 or ${isWaiting})`;
const hasNone = `(threads = 0 and not ${isWaiting})`;

/** The column that the list is in order of; of ties and of `created_at` it is the creation. */
const orders = {
  created_at: undefined,
  threads_count: 'threads',
  visits_count: 'threads',
  agent_last_event: 'agent_last',
  customer_last_event: 'customer_last',
} as const satisfies Record<CustomerOrder, string | undefined>;

/** A customer has one chat or none. */
function chatsTest(range: NonNullable<CustomerFilters['chats_count']>): string {
  const [none, some] = [isWithin(range, 0), isWithin(range, 1)];
  if (none && some) return 'true';
  if (none || some) return none ? hasNone : hasChat;
  return 'false';
}

/** One test per given filter. */
function testsOf(filters: CustomerFilters, now: number, bind: Bind): string[] {
  const among = (values: readonly (string | number)[]): string => `(${values.map(bind).join()})`;
  const text = (filter: TextFilter | undefined, ...columns: string[]): string[] => {
    const { values, exclude_values } = filter ?? {};
    const is = (asked: readonly string[]): string =>
      columns.map((column) => `${column} in ${among(asked)}`).join(' or ');
    return [...(values ? [`(${is(values)})`] : []), ...(exclude_values ? [`not (${is(exclude_values)})`] : [])];
  };
  const within = <V extends string | number>(
    range: Partial<Record<RangeKind, V | undefined>> | undefined,
    expression: string,
    read: (value: V) => number,
  ): string[] =>
    Object.entries(range ?? {}).flatMap(([kind, value]) =>
      value === undefined ? [] : `${expression} ${comparisons[kind as RangeKind]} ${bind(read(value as V))}`,
    );
  const { include_customers_without_chats = true, chat_group_ids } = filters;
  const same = (value: number): number => value;
  /** Without a line there is nothing to compare. */
  const ofLast = (column: string, range: Parameters<typeof within<string>>[0]): string[] =>
    within(range, column, secondOf).map((test) => `(${test} and ${column} > 0)`);
  const inGroups = (ids: readonly number[]): string =>
    `exists ${ofChats('1', now, bind, ` and exists (select 1 from json_each(light, '$.groups') where value in ${among(ids)})`)}`;
  return [
    ...text(filters.customer_id, 'id'),
    ...text(filters.country, 'country', 'country_code'),
    ...text(filters.email, 'email'),
    ...text(filters.name, 'name'),
    ...within(filters.created_at, 'created', secondOf),
    ...(include_customers_without_chats ? [] : [hasChat]),
    ...(filters.chats_count ? [chatsTest(filters.chats_count)] : []),
    ...within(filters.threads_count, 'threads', same),
    ...within(filters.visits_count, 'threads', same),
    ...ofLast('agent_last', filters.agent_last_event_created_at),
    ...ofLast('customer_last', filters.customer_last_event_created_at),
    ...(chat_group_ids?.values ? [inGroups(chat_group_ids.values)] : []),
    ...(chat_group_ids?.exclude_values ? [`not ${inGroups(chat_group_ids.exclude_values)}`] : []),
  ];
}

const comparisons: Record<RangeKind, string> = { lte: '<=', lt: '<', gte: '>=', gt: '>', eq: '=' };
