// Which pulls provided the data of a receipt, and when they ran.
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import { timesOfPulls } from '#warehouse/read/pulls.ts';

export interface PullBehind {
  pull_id: string;
  started_at: Value;
  ended_at: Value;
  /** Contributing chats whose newest version came from this pull. */
  chats: number;
}

export async function pullsOf(
  engine: Queryable,
  account: string,
  chats: ReadonlyMap<string, number>,
  stored: readonly Row[],
): Promise<PullBehind[]> {
  const ids = [...new Set([...chats.keys(), ...stored.map((row) => String(row.pull_id))])];
  if (ids.length === 0) return [];
  const known = await timesOfPulls(engine, account, ids);
  return ids
    .map((pull_id) => {
      const row = known.get(pull_id);
      const [started_at, ended_at] = [row?.started_at ?? null, row?.ended_at ?? null];
      return { pull_id, started_at, ended_at, chats: chats.get(pull_id) ?? 0 };
    })
    .sort((one, other) => String(one.started_at).localeCompare(String(other.started_at)));
}
