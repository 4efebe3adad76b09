// What can answer a question about several accounts: the chats of each, and why a measure is not given.
import type { MetricDefinition } from '../definitions/metric.ts';
import { Refused } from '../errors.ts';
import type { Ask } from './ask.ts';
import { reachedIn } from './compared.ts';
import { withinReached } from './extent.ts';
import type { QueryContext } from './context.ts';
import type { PooledContext } from './pooled-context.ts';
import { sourcesFor, type Pool, type Sources } from './sources.ts';

/** The same question of one account. */
function ofOne({ pool: _, ends: _ends, ...ask }: Ask, account: string): Ask {
  return { ...ask, account, split: ask.split.filter((name) => name !== 'account') };
}

async function ofMember(metric: MetricDefinition, ask: Ask, context: QueryContext): Promise<Sources> {
  const { id } = context.account;
  try {
    return await sourcesFor(metric, ofOne(ask, id), context);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(error.about, `${id}: ${error.message}`, error.choices);
  }
}

/** The reason for each measure, with the account where the reasons differ. */
function reasonsOf(pool: Pool): Record<string, string> {
  const reasons: Record<string, string> = {};
  const names = new Set([...pool.values()].flatMap(({ sources }) => Object.keys(sources.notGiven)));
  for (const name of names) {
    const its = [...pool].flatMap(([id, { sources }]) => {
      const why = sources.notGiven[name];
      return why === undefined ? [] : [{ id, why }];
    });
    const same = new Set(its.map(({ why }) => why));
    reasons[name] =
      same.size === 1 && its.length === pool.size
        ? [...same].join('')
        : its.map(({ id, why }) => `${id}: ${why}`).join('; ');
  }
  return reasons;
}

/** Errors: Refused. */
export async function pooledSources(
  metric: MetricDefinition,
  ask: Ask,
  { members }: PooledContext,
): Promise<Sources & { pool: Pool }> {
  const { reported, ...ofChats } = metric;
  const pool: Pool = new Map(
    await Promise.all(
      members.map(async (context) => {
        const sources = await ofMember(ofChats, ask, context);
        return [context.account.id, { sources, context }] as const;
      }),
    ),
  );
  const notGiven = reasonsOf(pool);
  if (reported)
    for (const [name, { needs }] of Object.entries(metric.measures))
      if (!needs || needs.includes('reported'))
        notGiven[name] = `comes from the source's own reports, which are of one account each: ask with split=account`;
  const reached = [...pool.values()].map(({ sources }) => reachedIn(sources.archive ?? []) ?? -Infinity);
  return { can: ['archived'], notGiven, ask: withinReached(metric, ask, Math.max(...reached)), pool };
}
