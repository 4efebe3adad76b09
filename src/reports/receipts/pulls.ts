// Which pulls provided the data of a receipt, and when they ran.
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import { accountsIn, type AskedAccounts } from '#warehouse/query/asked-accounts.ts';
import { timesOfPulls } from '#warehouse/read/pulls.ts';

export interface PullBehind {
  /** Of a receipt of several accounts. */
  account?: string;
  pull_id: string;
  started_at: Value;
  ended_at: Value;
  /** Contributing chats whose newest version came from this pull. */
  chats: number;
}

/** `chats`: of those that contribute, by account and pull. `stored`: rows of the source, of the one account. */
export async function pullsOf(
  engine: Queryable,
  whose: AskedAccounts,
  chats: ReadonlyMap<string, ReadonlyMap<string, number>>,
  stored: readonly Row[],
): Promise<PullBehind[]> {
  const behind = accountsIn(whose).flatMap((account) => {
    const own = chats.get(account) ?? new Map<string, number>();
    const ids = new Set([...own.keys(), ...(whose.pool ? [] : stored.map((row) => String(row.pull_id)))]);
    return [...ids].map((pull_id) => ({ account, pull_id, chats: own.get(pull_id) ?? 0 }));
  });
  if (behind.length === 0) return [];
  const known = await timesOfPulls(engine, whose, [...new Set(behind.map(({ pull_id }) => pull_id))]);
  return behind
    .map(({ account, pull_id, chats: many }) => {
      const row = known.get(account)?.get(pull_id);
      const [started_at, ended_at] = [row?.started_at ?? null, row?.ended_at ?? null];
      return { ...(whose.pool ? { account } : {}), pull_id, started_at, ended_at, chats: many };
    })
    .sort((one, other) => String(one.started_at).localeCompare(String(other.started_at)));
}
