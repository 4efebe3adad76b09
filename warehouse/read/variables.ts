// Custom variables and survey answers: what has been observed, and the values of the declared ones.
import { parameters } from '../query/bind.ts';
import { columnsIn } from '../query/file-columns.ts';
import { declaredIn } from '../query/file-variables.ts';
import type { QueryContext } from '../query/context.ts';
import type { Engine } from '../engine.ts';
import {
  least_visitors,
  longest_value,
  other_value,
  type VariableDefinition,
  type VariableSource,
} from '../variables.ts';

interface ObservedVariable {
  source: VariableSource;
  name: string;
  chats: number;
  /** How many different values. */
  values: number;
  /** Number of values common enough to be listed by themselves. */
  common_values: number;
  /** The most frequent of them. */
  examples: string[];
}

const most_seen = 200;
const most_examples = 5;

/** What chats of the account say, the most frequent first; texts that went with their visitors say nothing. */
export async function seenIn(engine: Engine, account: string): Promise<ObservedVariable[]> {
  const { dialect } = engine;
  const bind = parameters(dialect);
  const ofAccount = `s.account = ${bind.value('account', account, 'text')}`;
  const text = (value: string): string => dialect.literal(value, 'text');
  const hasVariables = (await columnsIn(engine)).has('facts.chat_variables');
  const given = [
    ...(hasVariables
      ? [
          `select ${text('custom_variable')} as source, s.name, ${dialect.trimmed('s.value')} as value, s.started_quarter, s.chat_id\n` +
            `  from facts.chat_variables as s where ${ofAccount}`,
        ]
      : []),
    `select case s.survey when 'pre' then ${text('prechat')} else ${text('postchat')} end as source, s.question as name,\n` +
      `  ${dialect.trimmed('s.answer')} as value, s.started_quarter, s.chat_id\n  from facts.chat_surveys as s where ${ofAccount}`,
  ];
  const rows = await engine.query(
    `with said as (
  select g.source, g.name, g.value, g.chat_id, c.visitor_id
  from (${given.join('\n  union all\n  ')}) as g
  join facts.chats as c on c.account = ${bind.value('account', account, 'text')}
    and c.started_quarter = g.started_quarter and c.chat_id = g.chat_id
  where replace(replace(g.value, ${text('·')}, ''), ' ', '') <> ''
),
each as (
  select source, name, value, count(distinct chat_id) as chats,
    count(distinct visitor_id) >= ${least_visitors} and ${dialect.characters('value')} <= ${longest_value} as is_common
  from said
  group by source, name, value
),
placed as (
  select each.*, row_number() over (partition by source, name order by is_common desc, chats desc, value) as place
  from each
)
select source, name, sum(chats) as chats, count(*) as different, count(*) filter (where is_common) as common,
  ${Array.from({ length: most_examples }, (_, at) => `max(value) filter (where is_common and place = ${at + 1}) as example_${at}`).join(', ')}
from placed
group by source, name
order by sum(chats) desc, source, name
limit ${most_seen}`,
    bind.params,
  );
  return rows.map((row) => ({
    ...{ source: String(row.source) as VariableSource, name: String(row.name) },
    ...{ chats: Number(row.chats), values: Number(row.different), common_values: Number(row.common) },
    examples: Array.from({ length: most_examples }, (_, at) => row[`example_${at}`] ?? null)
      .filter((value) => value !== null)
      .map(String),
  }));
}

interface ListedVariable extends Pick<VariableDefinition, 'id' | 'title'> {
  /** The most frequent first, `Other` last. */
  values: string[];
}

/** Declared variables, with the values that chats of the reader have. */
export async function variablesOf({ snapshot: { engine }, account }: QueryContext): Promise<ListedVariable[]> {
  const declared = await declaredIn(engine, account.id);
  if (declared.length === 0) return [];
  const bind = parameters(engine.dialect);
  const rows = await engine.query(
    `select variable_id, value, count(*) as chats\nfrom facts.chat_dimensions\n` +
      `where account = ${bind.value('account', account.id, 'text')}\ngroup by variable_id, value\n` +
      `order by variable_id, value = ${bind.known(other_value, 'text')}, chats desc, value`,
    bind.params,
  );
  const byId = Map.groupBy(rows, (row) => String(row.variable_id));
  return declared.map(({ id, title }) => ({
    ...{ id, title },
    values: (byId.get(id) ?? []).map(({ value }) => String(value)),
  }));
}
