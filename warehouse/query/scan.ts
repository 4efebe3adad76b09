// Which rows a question is about: joins for splits, conditions for filters. A filter never multiplies a chat.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import { bridges, soleBridge, type Bridging } from './bridges.ts';
import { inBusinessHours } from './business-hours.ts';
import { nextSecond } from './rollup.ts';
import { quarters, quarterSeconds } from './time-buckets.ts';
import type { Archived, Split } from '../definitions/metric.ts';
import { chosenValues } from '../variables.ts';
import { accountKey, beforeEnds, chatColumns, chatKey, sameAccount } from './asked-accounts.ts';

export interface Scan {
  /** What `from` needs before it. */
  ctes: string[];
  /** `from` with its joins. */
  from: string;
  where: string[];
  /** Column of each split that is not local time. */
  columns: { name: Split; sql: string }[];
  /** Fills in the parts that depend on the question: `:seconds` of a response, `:in_currency` of money. */
  fill: (sql: string) => string;
}

const sameChat = (one: string, other: string): string =>
  `${one}.account = ${other}.account and ${one}.started_quarter = ${other}.started_quarter and ${one}.chat_id = ${other}.chat_id`;

/** Rows of a bridge that belong to a chat. TRICKY: where the time is known, joining by id alone is twice as fast. */
const ofChat = (
  alias: string,
  row: string,
  bind: Bind,
  ask: Ask,
  near?: (alias: string) => readonly string[],
): string =>
  near
    ? [
        ...sameAccount(ask, alias, row),
        `${alias}.chat_id = ${row}.chat_id`,
        ...bind.ofAccount(alias, ask),
        ...near(alias),
      ].join(' and ')
    : sameChat(alias, row);

/**
 * Rows of a bridge that belong to the chat of a row, by id and quarter hour. TRICKY: DuckDB takes the few chats of a filter or of goals first,
 * and reads only their time of the bridge; told that time by subqueries it joins all chats first, for two to three times as much. But the
 * rows of one value (`ofValue`) are few, and it would look for them at all times.
 */
function ofQuarter(
  { alias, row, ofValue }: { alias: string; row: string; ofValue: boolean },
  near: readonly string[],
  bind: Bind,
  ask: Ask,
): string {
  const same = ['chat_id', 'started_quarter'].map((column) => `${alias}.${column} = ${row}.${column}`);
  const time = ofValue ? near : bind.dialect.impliedByJoin(near);
  return [...same, ...sameAccount(ask, alias, row), ...bind.ofAccount(alias, ask), ...time].join(' and ');
}

/**
 * Chats with one of the values, as a condition. TRICKY: by id alone within the time of the chats it is four times faster than by all key
 * columns; without a time range, the full key lets the engine skip distant blocks.
 */
function ofBridge(
  name: keyof typeof bridges,
  values: string,
  row: string,
  ask: Ask,
  ofAccount: (alias: string) => readonly string[],
  near?: (alias: string) => readonly string[],
): string {
  const { table, column } = bridges[name];
  const alias = `of_${name}`;
  const has = `${alias}.${column} in (${values})`;
  if (!near) return `exists (select 1 from ${table} as ${alias} where ${sameChat(alias, row)} and ${has})`;
  const which = [...ofAccount(alias), has, ...near(alias)].join(' and ');
  return `${chatKey(ask, row)} in (select ${chatColumns(ask, alias)} from ${table} as ${alias} where ${which})`;
}

/** Chats with any of the chosen values of each declared variable. */
function ofVariables(ask: Ask, row: string, bind: Bind, near?: (alias: string) => readonly string[]): string[] {
  return [...chosenValues((ask.filters.variable ?? []).map(String))].map(([variable, values], at) => {
    const which = [
      `d.variable_id = ${bind.value(`of_variable_${at}`, variable, 'text')}`,
      `d.value in (${bind.list(`of_variable_${at}_value`, values, 'text')})`,
    ];
    if (!near)
      return `exists (select 1 from facts.chat_dimensions as d where ${[sameChat('d', row), ...which].join(' and ')})`;
    const there = [...bind.ofAccount('d', ask), ...which, ...near('d')];
    return `${chatKey(ask, row)} in (select ${chatColumns(ask, 'd')} from facts.chat_dimensions as d where ${there.join(' and ')})`;
  });
}

/**
 * `when`: the conditions on time for the rows' alias (`c` for chats, `g` for goals). `near`: the resulting conditions on a chat's start,
 * for an alias of a table with one row per chat and something else; without it, the chat may have started at any time. `bridging`: allows
 * a bridge to replace the chats.
 */
export function scanOf(
  archived: Archived,
  ask: Ask,
  bind: Bind,
  when: readonly string[],
  near?: (alias: string) => readonly string[],
  bridging?: Bridging,
): Scan {
  const row = archived.rows === 'chats' ? 'c' : 'g';
  const sole = bridging && soleBridge(archived, ask, bridging);
  const chats = sole ? `${bridges[sole].table} as c` : chatRows(archived, ask, bind);
  const from = [`from ${archived.rows === 'chats' ? chats : 'facts.chat_goals as g'}`];
  const ofAccount = (alias: string): string[] => bind.ofAccount(alias, ask);
  const where = [...ofAccount(row), ...when];
  where.push(...beforeEnds(ask.ends, row, row === 'c' ? 'c.started_quarter' : 'g.reached_quarter', bind.dialect));
  if (archived.where) where.push(archived.where);
  const columns: Scan['columns'] = [];
  let seconds = `${row}.response_seconds`;
  const isSplit = (name: Split): boolean => ask.split.includes(name);
  if (isSplit('account')) columns.push({ name: 'account', sql: `${row}.account` });
  const within = (name: 'agent' | 'group' | 'tag'): string | undefined => {
    const values = ask.filters[name];
    return values && bind.list(name, values, bridges[name].type);
  };

  const isByQuarter = row === 'g' || archived.sweep !== undefined;
  const same = (alias: string, ofValue = false): string =>
    near && isByQuarter
      ? ofQuarter({ alias, row, ofValue }, near(alias), bind, ask)
      : ofChat(alias, row, bind, ask, near);

  for (const name of ['agent', 'group', 'tag'] as const) {
    const values = within(name);
    const { table, column } = bridges[name];
    if (name === 'agent' && archived.agent === 'first_response') {
      if (isSplit(name)) {
        columns.push({ name, sql: 'c.first_response_agent' });
        where.push('c.first_response_agent is not null');
      }
      if (values) where.push(`c.first_response_agent in (${values})`);
      continue;
    }
    if (name === sole) {
      if (isSplit(name)) columns.push({ name, sql: `c.${column}` });
      if (values) where.push(`c.${column} in (${values})`);
      if (name === 'agent' && archived.agent === 'turns') {
        where.push('c.response_turns > 0');
        seconds = 'c.response_sum_seconds / c.response_turns';
      }
    } else if (isSplit(name) && name === 'group' && bridging?.oneGroup !== undefined) {
      // Every chat that this reader sees is of the one group, by which it is seen: no join has to say so once more.
      const group = bind.known(bridging.oneGroup, 'int');
      columns.push({ name, sql: group });
      if (values) where.push(`${group} in (${values})`);
    } else if (isSplit(name)) {
      const join = name === 'tag' && archived.untagged ? 'left join' : 'join';
      const alias = `by_${name}`;
      from.push(`${join} ${table} as ${alias} on ${same(alias, values !== undefined)}`);
      columns.push({ name, sql: `${alias}.${column}` });
      if (values) where.push(`by_${name}.${column} in (${values})`);
      if (name === 'agent' && archived.agent === 'turns') {
        where.push('by_agent.response_turns > 0');
        seconds = 'by_agent.response_sum_seconds / by_agent.response_turns';
      }
    } else if (values && name === 'agent' && archived.agent === 'turns') {
      const which = [...ofAccount('t'), `t.agent in (${values})`, 't.response_turns > 0', ...(near?.('t') ?? [])];
      const chat = chatColumns(ask, 't');
      from.push(
        `join (\n    select ${chat}, sum(t.response_sum_seconds) / sum(t.response_turns) as seconds\n` +
          `    from facts.chat_agents as t\n    where ${which.join(' and ')}\n    group by ${chat}\n` +
          `  ) as turns on ${[...sameAccount(ask, 'turns', row), `turns.chat_id = ${row}.chat_id`].join(' and ')}`,
      );
      seconds = 'turns.seconds';
    } else if (values) {
      where.push(ofBridge(name, values, row, ask, ofAccount, near));
    }
  }

  if (isSplit('variable')) {
    const isOne = `by_variable.variable_id = ${bind.value('variable', ask.variable ?? '', 'text')}`;
    from.push(`left join facts.chat_dimensions as by_variable on ${same('by_variable')} and ${isOne}`);
    columns.push({ name: 'variable', sql: 'by_variable.value' });
  }
  where.push(...ofVariables(ask, row, bind, near));

  const clipped = archived.businessHours && inBusinessHours(archived.businessHours, ask, bind);
  if (clipped) {
    from.push(clipped.join);
    seconds = clipped.seconds;
  }

  const currencies = ask.filters.currency;
  const inCurrency = currencies ? `g.currency in (${bind.list('currency', currencies, 'text')})` : 'true';
  if (archived.rows === 'chats' && archived.sale) {
    const which = [...ofAccount('g'), ...(near?.('g') ?? []), archived.sale, ...(currencies ? [inCurrency] : [])];
    from.push(...soldJoins(which.join(' and '), ask));
  }

  const own = {
    country: 'c.country',
    goal: 'g.goal_id',
    currency: archived.rows === 'chats' ? 'money.taken_in' : 'g.currency',
  } as const;
  for (const name of ['country', 'goal', 'currency'] as const) {
    if (isSplit(name)) columns.push({ name, sql: own[name] });
    const values = ask.filters[name];
    // TRICKY: a currency restricts only money; the metric does so in its parts (`:in_currency`).
    if (values && name !== 'currency')
      where.push(`${own[name]} in (${bind.list(name, values, name === 'goal' ? 'int' : 'text')})`);
  }
  // Split by currency, records without one have no cell.
  if (isSplit('currency') && archived.rows === 'goals') where.push(archived.sale ?? 'true', ':in_currency');
  const fill = (sql: string): string =>
    atTarget(sql, ask, bind)
      .replaceAll(':seconds', seconds)
      .replaceAll(':in_currency', inCurrency)
      .replaceAll(':outside', clipped?.outside ?? 'false')
      .replaceAll(':closed_by_asked', clipped?.closedBy ?? 'true');
  return { ctes: clipped?.ctes ?? [], from: from.join('\n  '), where, columns, fill };
}

/** Puts in the seconds that a part measures against. */
export const atTarget = (sql: string, ask: Ask, bind: Bind): string =>
  sql.replaceAll(':target', bind.known(ask.target ?? 0, 'int'));

/** Chats, with the next one of the same visitor where the metric needs it. */
function chatRows({ nextWithin }: Archived, ask: Ask, bind: Bind): string {
  if (nextWithin === undefined) return 'facts.chats as c';
  const { first, last } = quarters(ask);
  const which = [
    ...bind.ofAccount('n', ask),
    `n.started_quarter >= ${bind.known(first, 'int')}`,
    `n.started_quarter <= ${bind.known(last + (nextWithin * 86_400) / quarterSeconds, 'int')}`,
  ];
  return (
    '(\n    select n.account, n.chat_id, n.started_quarter, n.started_second, n.country,\n' +
    `      ${nextSecond(bind.dialect)}\n    from facts.chats as n\n` +
    `    where ${which.join('\n      and ')}\n  ) as c`
  );
}

/** What each chat brought: in all, or in each currency that was taken at all. */
function soldJoins(which: string, ask: Ask): string[] {
  const sums = (columns: string, keys: string): string =>
    `(select ${columns}, sum(g.price) as turnover from facts.chat_goals as g where ${which} group by ${keys}) as sold`;
  const chat = chatColumns(ask, 'g');
  const isSame = [...sameAccount(ask, 'sold', 'c'), 'sold.chat_id = c.chat_id'].join(' and ');
  if (!ask.split.includes('currency')) return [`left join ${sums(chat, chat)} on ${isSame}`];
  const sold = sums(`${chat}, g.currency as sold_in`, `${chat}, g.currency`);
  // Each account has the currencies that it took; together they have those of all.
  const by = ask.split.includes('account') ? accountKey(ask, 'g') : [];
  const taken = [...by, 'g.currency as taken_in'].join(', ');
  const isTaker = by.length > 0 ? 'money.account = c.account' : 'true';
  // TRICKY: the engine prints a cross join in a view as a comma, and expressions after a comma cannot refer to `c`.
  return [
    `join (select distinct ${taken} from facts.chat_goals as g where ${which}) as money on ${isTaker}`,
    `left join ${sold} on ${isSame} and sold.sold_in = money.taken_in`,
  ];
}
