// The tables with one row per chat and something: an agent, a group, a tag. Some questions need nothing but one of them.
import type { Ask } from './ask.ts';
import type { Archived } from '../definitions/metric.ts';
import { tableOf } from '../tables/tables.ts';

export const bridges = {
  agent: { name: 'chat_agents', table: 'facts.chat_agents', column: 'agent', type: 'text' },
  group: { name: 'chat_groups', table: 'facts.chat_groups', column: 'group_id', type: 'int' },
  tag: { name: 'chat_tags', table: 'facts.chat_tags', column: 'tag', type: 'text' },
} as const;

export type Bridge = keyof typeof bridges;

const inOrder: readonly Bridge[] = ['agent', 'group', 'tag'];

/** True when a bridge repeats every column of chats that is read. The same column means the same value. */
function hasColumns(bridge: Bridge, read: readonly string[]): boolean {
  const { columns } = tableOf('facts', 'chats');
  const own = tableOf('facts', bridges[bridge].name).columns;
  return read
    .flatMap((sql) => [...sql.matchAll(/\bc\.(\w+)/g)])
    .every(([, name = '']) => own[name] !== undefined && own[name] === columns[name]);
}

/**
 * The bridge that can stand for the chats: it holds one row per chat of the question and all that is `read` (SQL in which
 * `c` are the chats). A split is that, and a filter with one value; with several a chat would be there several times.
 */
export function soleBridge(archived: Archived, ask: Ask, read: readonly string[]): Bridge | undefined {
  const isPlain = archived.rows === 'chats' && !archived.sale && archived.nextWithin === undefined && !archived.sweep;
  if (!isPlain || ask.filters.country || ask.split.includes('country')) return undefined;
  const possible = inOrder.filter((name) => {
    if (name === 'agent' && archived.agent === 'first_response') return false;
    if (name === 'tag' && archived.untagged && ask.split.includes('tag')) return false;
    if (!ask.split.includes(name) && ask.filters[name]?.length !== 1) return false;
    const isOfTurns = name === 'agent' && archived.agent === 'turns';
    if (!isOfTurns && read.some((sql) => sql.includes(':seconds'))) return false;
    return hasColumns(name, read);
  });
  return possible.find((name) => ask.split.includes(name)) ?? possible[0];
}
