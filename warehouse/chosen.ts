// Which rows a question is about: joins for splits, conditions for filters. A filter never multiplies a chat.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import type { Archived, Split } from './metric.ts';

export interface Chosen {
  /** `from` with its joins. */
  from: string;
  where: string[];
  /** Column of each split that is not local time. */
  columns: { name: Split; sql: string }[];
  /** Puts in what differs by question: `:seconds` of a response, `:in_currency` of what is measured in money. */
  fill: (sql: string) => string;
}

const bridges = {
  agent: { table: 'facts.chat_agents', column: 'agent', type: 'text' },
  group: { table: 'facts.chat_groups', column: 'group_id', type: 'int' },
  tag: { table: 'facts.chat_tags', column: 'tag', type: 'text' },
} as const;

const sameChat = (one: string, other: string): string =>
  `${one}.account = ${other}.account and ${one}.started_quarter = ${other}.started_quarter and ${one}.chat_id = ${other}.chat_id`;

/**
 * Chats of one of the values, as a condition. TRICKY: by id alone within the time of the chats it is four times faster
 * than by all columns of the key; without a time, the latter lets the engine skip what is not near.
 */
function ofBridge(
  name: keyof typeof bridges,
  values: string,
  row: string,
  account: string,
  near?: (alias: string) => readonly string[],
): string {
  const { table, column } = bridges[name];
  const alias = `of_${name}`;
  const has = `${alias}.${column} in (${values})`;
  if (!near) return `exists (select 1 from ${table} as ${alias} where ${sameChat(alias, row)} and ${has})`;
  const which = [`${alias}.account = ${account}`, has, ...near(alias)].join(' and ');
  return `${row}.chat_id in (select ${alias}.chat_id from ${table} as ${alias} where ${which})`;
}

/**
 * `when`: the conditions on time, in terms of the rows' alias (`c` for chats, `g` for goals). `near`: the conditions on
 * when a chat started that follow from them, for an alias of a table with one row per chat and something; without it
 * the chat may have started at any time.
 */
export function chosen(
  archived: Archived,
  ask: Ask,
  bind: Bind,
  when: readonly string[],
  near?: (alias: string) => readonly string[],
): Chosen {
  const row = archived.rows === 'chats' ? 'c' : 'g';
  const from = [`from ${archived.rows === 'chats' ? 'facts.chats as c' : 'facts.chat_goals as g'}`];
  const where = [`${row}.account = ${bind.value('account', ask.account, 'text')}`, ...when];
  if (archived.where) where.push(archived.where);
  const columns: Chosen['columns'] = [];
  let seconds = `${row}.response_seconds`;
  const isSplit = (name: Split): boolean => ask.split.includes(name);
  const within = (name: 'agent' | 'group' | 'tag'): string | undefined => {
    const values = ask.filters[name];
    return values && bind.list(name, values, bridges[name].type);
  };

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
    if (isSplit(name)) {
      from.push(`join ${table} as by_${name} on ${sameChat(`by_${name}`, row)}`);
      columns.push({ name, sql: `by_${name}.${column}` });
      if (values) where.push(`by_${name}.${column} in (${values})`);
      if (name === 'agent' && archived.agent === 'turns') {
        where.push('by_agent.response_turns > 0');
        seconds = 'by_agent.response_sum_seconds / by_agent.response_turns';
      }
    } else if (values && name === 'agent' && archived.agent === 'turns') {
      const which = [
        `t.account = ${bind.value('account', ask.account, 'text')}`,
        `t.agent in (${values})`,
        't.response_turns > 0',
        ...(near?.('t') ?? []),
      ];
      from.push(
        'join (\n    select t.chat_id, sum(t.response_sum_seconds) / sum(t.response_turns) as seconds\n' +
          `    from facts.chat_agents as t\n    where ${which.join(' and ')}\n    group by t.chat_id\n` +
          `  ) as turns on turns.chat_id = ${row}.chat_id`,
      );
      seconds = 'turns.seconds';
    } else if (values) {
      where.push(ofBridge(name, values, row, bind.value('account', ask.account, 'text'), near));
    }
  }

  const own = { country: 'c.country', goal: 'g.goal_id', currency: 'g.currency' } as const;
  for (const name of ['country', 'goal', 'currency'] as const) {
    if (isSplit(name)) columns.push({ name, sql: own[name] });
    const values = ask.filters[name];
    // TRICKY: a currency narrows only what is measured in money; the metric does that in its parts (`:in_currency`).
    if (values && name !== 'currency')
      where.push(`${own[name]} in (${bind.list(name, values, name === 'goal' ? 'int' : 'text')})`);
  }
  // Split by currency, rows without one have no cell.
  if (isSplit('currency')) where.push(archived.sale ?? 'true', ':in_currency');
  const currencies = ask.filters.currency;
  const inCurrency = currencies ? `g.currency in (${bind.list('currency', currencies, 'text')})` : 'true';
  const fill = (sql: string): string => sql.replaceAll(':seconds', seconds).replaceAll(':in_currency', inCurrency);
  return { from: from.join('\n  '), where, columns, fill };
}
