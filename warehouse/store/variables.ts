// Puts declared variables into the writer's file, and the values of chats into a published copy.
import type { Dialect } from '../dialect.ts';
import type { Store } from '../engine.ts';
import { declaredIn } from '../query/file-variables.ts';
import { tableOf } from '../tables/tables.ts';
import { least_visitors, longest_value, most_values, other_value, type VariableDefinition } from '../variables.ts';

/** False when the file has them already. */
export async function setVariables(
  engine: Store,
  account: string,
  declared: readonly VariableDefinition[],
): Promise<boolean> {
  if (JSON.stringify(await declaredIn(engine, account)) === JSON.stringify(declared)) return false;
  const rows = declared.map(({ id, title, source, name }, position) => ({
    ...{ account, variable_id: id, title, source, name, position },
  }));
  await engine.transaction(() =>
    engine.load(tableOf('account', 'variables'), rows, { replacing: ['account'], marks: [{ account }] }),
  );
  return true;
}

/** Remains of an erased or redacted text. */
const dot = '·';

/**
 * Fills `facts.chat_dimensions` of a copy. Rare values, long values and those beyond the most frequent are combined into one, so that a
 * typed name or address never becomes a value.
 */
export function dimensionStatements(dialect: Dialect): string[] {
  const columns = Object.keys(tableOf('facts', 'chat_dimensions').columns);
  const ofChat = ['account', 'chat_id', 'started_at', 'started_quarter'].map((name) => `s.${name}`).join(', ');
  const text = (value: string): string => dialect.literal(value, 'text');
  const declared = (source: string, name: string): string =>
    `join account.variables as d on d.account = s.account and d.source = ${source} and d.name = ${name}`;
  return [
    'delete from facts.chat_dimensions',
    `insert into facts.chat_dimensions (${columns.join(', ')})
with given as (
  select ${ofChat}, d.variable_id, trim(s.value) as value
  from facts.chat_variables as s
  ${declared(text('custom_variable'), 's.name')}
  union all
  select ${ofChat}, d.variable_id, trim(${dialect.last('s.answer', 's.position')}) as value
  from facts.chat_surveys as s
  ${declared(`case s.survey when 'pre' then ${text('prechat')} else ${text('postchat')} end`, 's.question')}
  group by ${ofChat}, d.variable_id
),
said as (
  select g.*, c.visitor_id
  from given as g
  join facts.chats as c using (account, started_quarter, chat_id)
  where replace(replace(g.value, ${text(dot)}, ''), ' ', '') <> ''
),
named as (
  select account, variable_id, value,
    row_number() over (partition by account, variable_id order by count(*) desc, value) as place
  from said
  where length(value) <= ${longest_value}
  group by account, variable_id, value
  having count(distinct visitor_id) >= ${least_visitors}
)
select s.account, s.chat_id, s.started_at, s.started_quarter, s.variable_id, coalesce(n.value, ${text(other_value)}) as value
from said as s
left join named as n
  on n.account = s.account and n.variable_id = s.variable_id and n.value = s.value and n.place <= ${most_values}
order by s.account, s.started_quarter, s.chat_id, s.variable_id`,
  ];
}
