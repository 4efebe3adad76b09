// Which named agents' figures may be shown: an agreement within the company that applies to every reader.
import { readerKey, type Reader } from './reader.ts';

/** `from`: only above a number of chats, and never ranked. `none`: nobody's. */
export type AgentFigures = { kind: 'all' } | { kind: 'from'; chats: number } | { kind: 'none' };

export const allFigures: AgentFigures = { kind: 'all' };

/** What a reader may see under the agreement. Agents always see their own figures, and never a colleague's. */
export function readerUnder(agreed: AgentFigures, reader: Reader): Reader {
  if (agreed.kind === 'all' || reader.rows?.agent !== undefined) return reader;
  const more = agreed.kind === 'none' ? { hides_agents: true as const } : { agents_from: agreed.chats };
  return { ...reader, rows: { ...reader.rows, ...more } };
}

/** Whether a reader sees everything that the agreement allows to be shown. */
export const seesAllUnder = (agreed: AgentFigures, reader: Reader): boolean =>
  readerKey(reader) === readerKey(readerUnder(agreed, { id: reader.id }));
