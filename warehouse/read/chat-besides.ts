// Data related to chats (agents, groups, tags, variables, lines, goals, comments), aggregated to one row per chat.
import type { Bind } from '../query/bind.ts';
import { everyGoal } from '../definitions/metrics.ts';
import type { Beside } from './chat-columns.ts';
import { startedIn, type SearchSpan } from './search.ts';

/** The metric's parts about goals and sales, over the records `g` of a chat. */
const goalParts = (() => {
  const { parts, sale } = everyGoal.archived ?? {};
  const sql = (name: string): string => {
    const of = parts?.[name]?.sql;
    if (typeof of !== 'string') throw new Error(`${everyGoal.id} has no part ${name}`);
    return of;
  };
  return { sale: sale ?? 'false', reached: sql('reached'), sold: sql('sold'), turnover: sql('turnover') };
})();

/** One row of each chat: aggregates over the rows of a table, which has the alias that conditions name. */
const byChat = (columns: readonly string[], from: string, alias: string, where: readonly string[]): string =>
  `(\n    select ${alias}.chat_id, ${columns.join(', ')}\n    from ${from}\n` +
  `    where ${where.join(' and ')}\n    group by ${alias}.chat_id\n  )`;

const listed = (table: string, key: string, own: string): string =>
  `left join account.${table} as listed on listed.account = b.account and listed.${key} = b.${own}`;

export interface ChatBesides {
  /** The post-chat questions whose answers are comments. */
  commented: readonly string[];
  /** The file knows declared variables. */
  hasVariables: boolean;
  /** Groups that the file does not list to the reader, as they are called instead. */
  otherGroups: readonly { id: number; name: string }[];
}

/**
 * A select of each, for chats of one account that started in a span.
 * `fill` puts in what scan.ts does.
 */
export function besidesOf(
  account: string,
  { commented, hasVariables, otherGroups }: ChatBesides,
  span: SearchSpan,
  bind: Bind,
  fill: (sql: string) => string,
): Record<Beside, () => string> {
  const { dialect } = bind;
  const near = startedIn(span, bind);
  const rows = (alias: string): string[] => [...bind.ofAccount(alias, { account }), ...near(alias)];
  const { sale, reached, sold, turnover } = goalParts;
  const groupId = 'cast(b.group_id as varchar)';
  const otherNames = otherGroups.map(
    ({ id, name }) => `when b.group_id = ${dialect.literal(id, 'int')} then ${dialect.literal(name, 'text')}`,
  );
  const groupName = otherNames.length > 0 ? `case ${otherNames.join(' ')} else ${groupId} end` : groupId;
  const goalName = "coalesce(nullif(g.goal_name, ''), cast(g.goal_id as varchar))";
  return {
    agents: () =>
      byChat(
        [
          `${dialect.joined('b.agent', 'b.position')} as logins`,
          `${dialect.joined("coalesce(nullif(listed.name, ''), b.agent_name, b.agent)", 'b.position')} as names`,
        ],
        `facts.chat_agents as b\n    ${listed('agents', 'login', 'agent')}`,
        'b',
        rows('b'),
      ),
    groups: () =>
      byChat(
        [
          `${dialect.joined(groupId, 'b.group_id')} as ids`,
          `${dialect.joined(`coalesce(nullif(listed.name, ''), ${groupName})`, 'b.group_id')} as names`,
        ],
        `facts.chat_groups as b\n    ${listed('groups', 'group_id', 'group_id')}`,
        'b',
        rows('b'),
      ),
    tags: () => byChat([`${dialect.joined('b.tag', 'b.tag')} as tags`], 'facts.chat_tags as b', 'b', rows('b')),
    variables: () =>
      hasVariables
        ? byChat(
            [`${dialect.joined("listed.title || ': ' || b.value", 'listed.position')} as variables`],
            'facts.chat_dimensions as b\n    join account.variables as listed using (account, variable_id)',
            'b',
            rows('b'),
          )
        : `(select ${dialect.literal(null, 'text')} as chat_id, ${dialect.literal(null, 'text')} as variables where false)`,
    messages: () =>
      byChat(
        ['visitor', 'agent'].map((who) => `count(*) filter (where b.user_type = '${who}') as by_${who}`),
        'facts.messages as b',
        'b',
        [...rows('b'), "b.kind <> 'event'"],
      ),
    goals: () =>
      byChat(
        [
          `${fill(reached)} as reached`,
          `${dialect.joined(goalName, 'g.position', 'not g.is_sale_tracker')} as names`,
          `${fill(sold)} as sold`,
          `${fill(turnover)} as turnover`,
          `count(distinct g.currency) filter (where ${sale}) as currencies`,
          `${dialect.joined('g.currency', 'g.currency', sale)} as currency`,
        ],
        'facts.chat_goals as g',
        'g',
        rows('g'),
      ),
    comments: () =>
      byChat([`${dialect.joined('b.answer', 'b.position')} as comments`], 'facts.chat_surveys as b', 'b', [
        ...rows('b'),
        `b.survey = ${bind.known('post', 'text')} and ${dialect.trimmed('b.answer')} <> ''`,
        commented.length > 0 ? `b.question in (${bind.list('commented', commented, 'text')})` : 'false',
      ]),
  };
}
