// The tables with one row per chat and something: an agent, a group, a tag. Some questions need nothing but one of them.
import type { Ask } from './ask.ts';
import type { Archived } from '../definitions/metric.ts';
import type { Engine } from '../engine.ts';
import { columnsIn } from './file-columns.ts';
import { tableOf } from '../tables/tables.ts';

export const bridges = {
  agent: { name: 'chat_agents', table: 'facts.chat_agents', column: 'agent', type: 'text' },
  group: { name: 'chat_groups', table: 'facts.chat_groups', column: 'group_id', type: 'int' },
  tag: { name: 'chat_tags', table: 'facts.chat_tags', column: 'tag', type: 'text' },
} as const;

type Bridge = keyof typeof bridges;

const inOrder: readonly Bridge[] = ['agent', 'group', 'tag'];

/** Bridge columns that a file lacks because an earlier version created it, such as `chat_tags.rate`. */
export type Lacking = ReadonlySet<string>;

export async function lackingIn(engine: Engine): Promise<Lacking> {
  // Who writes a file has brought it to the newest version.
  if (!engine.isFrozen) return new Set();
  const there = await columnsIn(engine);
  const lacking = Object.values(bridges).flatMap(({ name, table }) =>
    Object.keys(tableOf('facts', name).columns)
      .filter((column) => there.get(table)?.has(column) !== true)
      .map((column) => `${name}.${column}`),
  );
  return new Set(lacking);
}

/** Whether a bridge repeats every column of chats that is read. Equal names have equal meaning. */
function hasColumns(bridge: Bridge, read: readonly string[], lacking: Lacking): boolean {
  const { columns } = tableOf('facts', 'chats');
  const table = bridges[bridge].name;
  const own = tableOf('facts', table).columns;
  return read
    .flatMap((sql) => [...sql.matchAll(/\bc\.(\w+)/g)])
    .every(
      ([, name = '']) => own[name] !== undefined && own[name] === columns[name] && !lacking.has(`${table}.${name}`),
    );
}

/** What must be known before choosing a bridge. */
export interface Bridging {
  /** SQL in which `c` are the chats. */
  read: readonly string[];
  lacking: Lacking;
  /** The only group of the reader: its bridge has one row of every chat. */
  oneGroup?: number | undefined;
}

/**
 * The bridge that can replace the table of chats: it has one row per chat of the question and all columns in `read`. That holds for a
 * split and for a filter with one value; with several values a chat would occur several times.
 */
export function soleBridge(archived: Archived, ask: Ask, { read, lacking, oneGroup }: Bridging): Bridge | undefined {
  const isPlain = archived.rows === 'chats' && !archived.sale && archived.nextWithin === undefined && !archived.sweep;
  if (!isPlain || archived.businessHours || ask.filters.country || ask.split.includes('country')) return undefined;
  // Only the chats say who sent the first response.
  const isByAgent = ask.filters.agent !== undefined || ask.split.includes('agent');
  if (isByAgent && archived.agent === 'first_response') return undefined;
  const possible = inOrder.filter((name) => {
    if (name === 'tag' && archived.untagged && ask.split.includes('tag')) return false;
    const isOfEveryChat = name === 'group' && oneGroup !== undefined;
    if (!isOfEveryChat && !ask.split.includes(name) && ask.filters[name]?.length !== 1) return false;
    // An agent's bridge has the turns that the agent closed, the others the mean over all turns of the chat.
    const isOfTurns = name === 'agent' && archived.agent === 'turns';
    const seconds = isOfTurns ? '' : 'c.response_seconds';
    return hasColumns(
      name,
      read.map((sql) => sql.replaceAll(':seconds', seconds)),
      lacking,
    );
  });
  return possible.find((name) => ask.split.includes(name)) ?? possible[0];
}
