// Of which agents figures are told by name: an agreement of the house, laid over every reader.
import { readerKey, type Reader } from './reader.ts';

/** `from`: from so many chats on, and never ranked. `none`: of nobody. */
export type AgentFigures = { kind: 'all' } | { kind: 'from'; chats: number } | { kind: 'none' };

export const allFigures: AgentFigures = { kind: 'all' };

/** What a reader may see under the agreement. An agent sees the own figures whatever it says, and those of no colleague. */
export function readerUnder(agreed: AgentFigures, reader: Reader): Reader {
  if (agreed.kind === 'all' || reader.rows?.agent !== undefined) return reader;
  const more = agreed.kind === 'none' ? { hides_agents: true as const } : { agents_from: agreed.chats };
  return { ...reader, rows: { ...reader.rows, ...more } };
}

/** Whether a reader sees all but what is agreed to be shown to nobody. */
export const seesAllUnder = (agreed: AgentFigures, reader: Reader): boolean =>
  readerKey(reader) === readerKey(readerUnder(agreed, { id: reader.id }));
