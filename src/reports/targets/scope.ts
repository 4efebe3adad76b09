// Whose targets a reader sees: only those about chats that they may all see.
import type { Reader } from '#warehouse/query/reader.ts';

/** The filters of a question. */
interface Narrowed {
  group?: readonly number[];
  agent?: readonly string[];
  tag?: readonly string[];
  variable?: readonly string[];
}

/** Whether a target concerns only chats that the reader may see. */
export function isSeen({ rows }: Reader, group: number | null): boolean {
  if (rows?.agent !== undefined) return false;
  return rows?.groups === undefined || (group !== null && rows.groups.includes(group));
}

/**
 * The account (null) or the group that a question is about. Undefined for an agent, a tag, a variable or several groups, which have no
 * targets.
 */
export function targetsOf(
  { rows }: Reader,
  { group = [], agent = [], tag = [], variable = [] }: Narrowed,
): number | null | undefined {
  if (agent.length > 0 || tag.length > 0 || variable.length > 0 || rows?.agent !== undefined) return undefined;
  const allowed = rows?.groups;
  if (allowed === undefined && group.length === 0) return null;
  const seen = new Set(group.length === 0 ? allowed : group.filter((id) => allowed?.includes(id) ?? true));
  return seen.size === 1 ? [...seen][0] : undefined;
}
