// Brings the kept outcomes of agents' chats (query/agent-outcomes.ts) up to date, days at a time.
import type { Store } from '../engine.ts';
import {
  agentNumbersTable,
  openChangeRows,
  openChangesTable,
  outcomeColumns,
  outcomeParts,
  outcomePartsTable,
  outcomeRows,
  outcomesTable,
} from '../query/agent-outcomes.ts';
import type { QuarterSpan } from '../query/rollup.ts';
import { quarterSeconds } from '../query/time-buckets.ts';

const quarters_a_day = 86_400 / quarterSeconds;

/** The empty tables, and the record of what their columns are. */
export function createOutcomes({ dialect: { type, literal } }: Store): string[] {
  const text = (value: string): string => literal(value, 'text');
  const describe = (table: string, column: string, said: string): string =>
    `comment on column ${table}."${column}" is ${text(said)}`;
  const create = (table: string, about: string, columns: readonly (readonly [string, 'int' | 'text', string])[]) => [
    `create or replace table ${table} (${columns.map(([name, of]) => `"${name}" ${type(of, false)}`).join(', ')})`,
    `comment on table ${table} is ${text(about)}`,
    ...columns.map(([name, , said]) => describe(table, name, said)),
  ];
  const account = ['account', 'text', 'account id'] as const;
  return [
    ...create(agentNumbersTable, `The agents of ${outcomesTable}, by number.`, [
      account,
      ['agent', 'text', 'login'],
      ['number', 'int', 'the first is 0'],
    ]),
    ...create(
      outcomesTable,
      'Chats with each of their agents, as agents are compared: one row per row of chat_agents, counted when the snapshot was published.',
      [
        account,
        ['started_quarter', 'int', 'quarter hours since 1970 UTC'],
        ['agent', 'int', `number in ${agentNumbersTable}`],
        ...outcomeColumns.map(([name, said]) => [name, 'int', said] as const),
      ],
    ),
    ...create(openChangesTable, 'When chats open and close, of chats that last from one quarter hour to another.', [
      account,
      ['day', 'int', 'days since 1970 UTC on which the chats started'],
      ['quarter', 'int', 'quarter hours since 1970 UTC, from which on'],
      ['change', 'int', 'so many more chats are open when a quarter hour begins'],
    ]),
    ...create(outcomePartsTable, `What the columns of ${outcomesTable} are.`, [
      ['position', 'int', '0-based place of the column'],
      ['name', 'text', 'name of the column'],
      ['sql', 'text', 'expression over chat_agents as a, its chat as c, its groups as teams'],
    ]),
    `insert into ${outcomePartsTable} values ${outcomeParts.map(([name, sql], at) => `(${at}, ${text(name)}, ${text(sql)})`).join(', ')}`,
  ];
}

/** Agents who have no number yet get one; nobody's changes, so that rows of other days stay as they are. */
const numberAgents = (span: QuarterSpan): string =>
  `insert into ${agentNumbersTable}\n` +
  `select account, agent, (select count(*) from ${agentNumbersTable}) + row_number() over (order by account, agent) - 1 as number\n` +
  `from (\n  select distinct account, agent from facts.chat_agents where started_quarter >= ${span.first} and started_quarter < ${span.last}\n` +
  `  except select account, agent from ${agentNumbersTable}\n) as those`;

/** Counts the rows of chats that started in a span of whole days again. Part of the caller's transaction. */
export async function countOutcomes(engine: Store, span: QuarterSpan): Promise<void> {
  const { first, last } = span;
  await engine.exec(numberAgents(span));
  await engine.exec(`delete from ${outcomesTable} where started_quarter >= ${first} and started_quarter < ${last}`);
  await engine.exec(`insert into ${outcomesTable}\n${outcomeRows(engine.dialect, span)}`);
  await engine.exec(
    `delete from ${openChangesTable} where day >= ${first / quarters_a_day} and day < ${last / quarters_a_day}`,
  );
  await engine.exec(`insert into ${openChangesTable}\n${openChangeRows(engine.dialect, span)}`);
}
