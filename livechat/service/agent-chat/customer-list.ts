// Customers that pass the filters of list_customers, in any of its orders: found among the columns of all, and read from beside one of them on.
import type { CustomerFilters, customerOrders, RangeKind, TextFilter } from '#contract/agent-chat/customers.ts';
import { firstPlace } from '../columns.ts';
import type { CustomerColumns, CustomerKind } from '../customer-columns.ts';
import type { ItemKey, Order } from '../pages.ts';
import { secondOf } from '../names.ts';

type CustomerOrder = (typeof customerOrders)[number];
type Range<V> = Partial<Record<RangeKind, V | undefined>>;

/** Places of the customers that match, ascending: in order of creation, then id. */
export function findCustomers(customers: CustomerColumns, filters: CustomerFilters, now: number): Uint32Array {
  const { columns, kinds } = customers;
  const { created, kind, agent_last, customer_last } = columns.of;
  const born = boundsOf(filters.created_at, secondOf);
  const place = (instant: number) => firstPlace(created, columns.length, instant, { or_same: false });
  const from = place(born.least - 1);
  const to = place(Math.min(born.most, now));
  const fits = Uint8Array.from(kinds, (each) => Number(isOfKind(each, filters)));
  // Without a line, which is 0, there is nothing to compare.
  const [by_agent, by_customer] = [filters.agent_last_event_created_at, filters.customer_last_event_created_at].map(
    (asked) => (asked && !isEmpty(asked) ? boundsOf(asked, secondOf, 1) : { least: 0, most: Infinity }),
  );
  const found = new Uint32Array(Math.max(0, to - from));
  let count = 0;
  for (let at = from; at < to; at++) {
    if (fits[kind[at]!] === 0) continue;
    if (agent_last[at]! < by_agent!.least || agent_last[at]! > by_agent!.most) continue;
    if (customer_last[at]! < by_customer!.least || customer_last[at]! > by_customer!.most) continue;
    found[count++] = at;
  }
  return narrowed(customers, filters, found.subarray(0, count));
}

interface ReadOptions {
  order: Order;
  beyond: ItemKey | undefined;
  count: number;
}

/** Reads pages of the customers that were found. */
export function customerList(customers: CustomerColumns, found: Uint32Array, sort_by: CustomerOrder) {
  const { columns, kinds } = customers;
  const { created, kind, agent_last, customer_last } = columns.of;
  const threads = Uint32Array.from(kinds, (each) => each.threads);
  // TRICKY: a million customers are read in a loop without calls, which takes a third of the time.
  const column =
    { threads_count: kind, visits_count: kind, agent_last_event: agent_last }[sort_by as string] ?? customer_last;
  const of_kinds = column === kind ? threads : undefined;
  const valueAt = (place: number): number =>
    sort_by === 'created_at' ? 0 : of_kinds ? of_kinds[column[place]!]! : column[place]!;
  return {
    /** Ties are in the order of creation, then id. */
    keyOf: (place: number): ItemKey => [
      valueAt(place),
      `${String(created[place]!).padStart(12, '0')} ${customers.idAt(place)}`,
    ],
    /** Places of at most so many beyond the key, nearest first. */
    read({ order, beyond, count }: ReadOptions): number[] {
      const [value = 0, tie = ''] = beyond ?? [];
      const beside = beyond && customers.placeOf({ created: Number(tie.slice(0, 12)), id: tie.slice(13) });
      const sign = order === 'asc' ? 1 : -1;
      if (sort_by === 'created_at') return byCreation(sign, beside, count);
      const least = beside === undefined ? -Infinity : sign * value;
      // What is as near as the last of them is behind it: ties come in order.
      let most = Infinity;
      const nearest: { far: number; place: number }[] = [];
      for (let index = sign > 0 ? 0 : found.length - 1; index >= 0 && index < found.length; index += sign) {
        const place = found[index]!;
        const far = sign * (of_kinds ? of_kinds[column[place]!]! : column[place]!);
        if (far >= most || far < least || (far === least && sign * (place - beside!) <= 0)) continue;
        const before = nearest.findLastIndex((each) => each.far <= far);
        nearest.splice(before + 1, 0, { far, place });
        if (nearest.length > count) nearest.pop();
        if (nearest.length === count) most = nearest[count - 1]!.far;
      }
      return nearest.map((each) => each.place);
    },
  };

  function byCreation(sign: number, beside: number | undefined, count: number): number[] {
    if (sign > 0) {
      const first = beside === undefined ? 0 : firstPlace(found, found.length, beside, { or_same: false });
      return [...found.subarray(first, first + count)];
    }
    const end = beside === undefined ? found.length : firstPlace(found, found.length, beside, { or_same: true });
    return [...found.subarray(Math.max(0, end - count), end)].reverse();
  }
}

const isEmpty = (range: Range<unknown>): boolean => Object.values(range).every((value) => value === undefined);

/** The whole numbers of a range, both included. */
function boundsOf<V>(range: Range<V> | undefined, read: (value: V) => number, at_least = 0) {
  const bounds = { least: at_least, most: Infinity };
  const raise = (least: number) => (bounds.least = Math.max(bounds.least, least));
  const lower = (most: number) => (bounds.most = Math.min(bounds.most, most));
  const narrow: Record<RangeKind, (value: number) => void> = {
    gte: (value) => raise(Math.ceil(value)),
    gt: (value) => raise(Math.floor(value) + 1),
    lte: (value) => lower(Math.floor(value)),
    lt: (value) => lower(Math.ceil(value) - 1),
    eq: (value) => (raise(Math.ceil(value)), lower(Math.floor(value))),
  };
  for (const [kind, value] of Object.entries(range ?? {}))
    if (value !== undefined) narrow[kind as RangeKind](read(value as V));
  return bounds;
}

const same = (value: number): number => value;

function isOfKind({ country, country_code, groups, threads, has_chat }: CustomerKind, filters: CustomerFilters) {
  const { include_customers_without_chats = true, chats_count, threads_count, visits_count } = filters;
  const isIn = (value: number, range: Range<number> | undefined): boolean => {
    const { least, most } = boundsOf(range, same);
    return value >= least && value <= most;
  };
  return (
    (include_customers_without_chats || has_chat) &&
    // A customer has one chat or none.
    isIn(Number(has_chat), chats_count) &&
    isIn(threads, threads_count) &&
    isIn(threads, visits_count) &&
    isAmong(filters.country, [country, country_code]) &&
    isAmong(filters.chat_group_ids, groups)
  );
}

function isAmong<V>(
  filter: { values?: V[] | undefined; exclude_values?: V[] | undefined } | undefined,
  own: readonly V[],
): boolean {
  const { values, exclude_values } = filter ?? {};
  return (!values || own.some((each) => values.includes(each))) && !own.some((each) => exclude_values?.includes(each));
}

/** By what nearly every customer has for themselves: one pass for each filter, without a call for each customer. */
function narrowed(customers: CustomerColumns, filters: CustomerFilters, found: Uint32Array): Uint32Array {
  const { name, email, customer_id } = filters;
  const narrow = (
    filter: TextFilter | undefined,
    pass: (values: readonly string[], is_one: boolean) => Uint32Array,
  ) => {
    const { values, exclude_values } = filter ?? {};
    if (values) found = pass(values, true);
    if (exclude_values) found = pass(exclude_values, false);
  };
  narrow(customer_id, (values, is_one) => customers.ofIds(values, is_one, found));
  narrow(name, (values, is_one) => customers.ofTexts('name', values, is_one, found));
  narrow(email, (values, is_one) => customers.ofTexts('email', values, is_one, found));
  return found;
}
