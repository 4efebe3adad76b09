// A chat as one snapshot knows it, taken apart into the aspects by which two versions are compared.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row } from '#warehouse/engine.ts';
import type { Aspect } from '#warehouse/definitions/metric.ts';
import { localDate } from '#warehouse/periods.ts';
import { versionRows, type VersionSpan } from '#warehouse/read/versions.ts';

export interface ChatVersion {
  content_hash: string;
  /** Each aspect as text: equal texts are equal content. */
  of: Record<Aspect, string>;
  /** Local days in which it was open or a goal of it was reached. */
  days: ReadonlySet<string>;
  agents: readonly string[];
  groups: readonly string[];
  tags: readonly string[];
  currencies: readonly string[];
}

/** These chats, all of which started in the range, as the snapshot holds them. */
export async function versions(
  context: QueryContext,
  stretch: VersionSpan,
  ids: readonly string[],
): Promise<Map<string, ChatVersion>> {
  const found = new Map<string, ChatVersion>();
  for (let at = 0; at < ids.length; at += 1000) {
    const some = ids.slice(at, at + 1000);
    const chats = await versionRows(context, stretch, some, 'chats');
    const bridges = await Promise.all(
      (['chat_agents', 'chat_groups', 'chat_tags', 'chat_goals'] as const).map(async (table) =>
        byChat(await versionRows(context, stretch, some, table)),
      ),
    );
    for (const chat of chats) {
      const id = String(chat.chat_id);
      const [agents = [], groups = [], tags = [], goals = []] = bridges.map((bridge) => bridge.get(id) ?? []);
      found.set(id, versionOf(chat, { agents, groups, tags, goals }, context.account.timezone));
    }
  }
  return found;
}

function byChat(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const id = String(row.chat_id);
    const some = found.get(id) ?? [];
    some.push(row);
    found.set(id, some);
  }
  return found;
}

interface Bridges {
  agents: readonly Row[];
  groups: readonly Row[];
  tags: readonly Row[];
  goals: readonly Row[];
}

function versionOf(chat: Row, { agents, groups, tags, goals }: Bridges, zone: string): ChatVersion {
  const of = (names: readonly string[]): string => JSON.stringify(names.map((name) => chat[name] ?? null));
  const texts = (rows: readonly Row[], name: string): string[] =>
    rows.flatMap((row) => (row[name] == null ? [] : [String(row[name])]));
  const turns = agents.map((row) => [row.agent, row.response_sum_seconds, row.response_turns]);
  return {
    content_hash: String(chat.content_hash),
    of: {
      times: of(['started_second', 'ended_second']),
      rating: of(['rate']),
      tags: JSON.stringify(texts(tags, 'tag')),
      goals: JSON.stringify(goals.map((goal) => Object.values(goal))),
      messages:
        of(['is_replied', 'message_count', 'first_response_seconds', 'first_response_agent', 'response_seconds']) +
        of(['response_turns']) +
        JSON.stringify(turns.filter(([, , count]) => count !== 0)),
      agents: JSON.stringify(texts(agents, 'agent')),
      groups: JSON.stringify(texts(groups, 'group_id')),
      queue: of(['queue_seconds']),
      engagement: of(['engagement']),
      visitor: of(['visitor_id', 'country']),
    },
    days: daysOf(chat, goals, zone),
    agents: texts(agents, 'agent'),
    groups: texts(groups, 'group_id'),
    tags: texts(tags, 'tag'),
    currencies: texts(goals, 'currency'),
  };
}

function daysOf(chat: Row, goals: readonly Row[], zone: string): Set<string> {
  const days = new Set<string>();
  const [started, ended] = [Number(chat.started_second), Number(chat.ended_second)];
  for (let second = started; second < ended; second += 86_400) days.add(localDate(zone, second));
  days.add(localDate(zone, started));
  days.add(localDate(zone, Math.max(started, ended - 1)));
  for (const goal of goals) days.add(localDate(zone, Number(goal.reached)));
  return days;
}
