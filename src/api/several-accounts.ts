// Questions about several accounts: `account` repeated, or `account=*` for all that the reader may see.
import type { Context } from 'hono';
import { pooledContextIn, type PooledContext } from '#warehouse/query/pooled-context.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { Refused } from '#warehouse/errors.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { accountOf, accountsOf, askedSnapshot, readerOf, type Unopened } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { allOf, type QueryTexts } from './question.ts';

/** The context of such a question, whose snapshot is not open yet. */
export interface UnopenedPool extends Omit<Unopened, 'account' | 'open'> {
  accounts: readonly WarehouseAccount[];
  open(): Promise<PooledContext>;
}

const everyAccount = '*';

/** Undefined where a question names one account or none. Errors: Refused; Declined. */
function severalIn(deps: ApiDeps, reader: Reader, asked: QueryTexts): readonly WarehouseAccount[] | undefined {
  const named = [...new Set(allOf(asked, 'account'))];
  if (!named.includes(everyAccount))
    return named.length > 1 ? named.map((id) => accountOf(deps, reader, id)) : undefined;
  if (named.length > 1)
    throw new Refused('account', 'account=* is all of them: ask with it alone, or name the accounts', ['account=*']);
  const all = accountsOf(deps, reader);
  if (all.length === 0) throw new Declined('forbidden', 'you may see none of the accounts');
  return all;
}

/** Undefined where a question names one account or none. Errors: Refused; Declined, while nothing is published. */
export async function pooledContextOf(deps: ApiDeps, c: Context, asked: QueryTexts): Promise<UnopenedPool | undefined> {
  const reader = readerOf(c);
  const accounts = severalIn(deps, reader, asked);
  if (!accounts) return undefined;
  const { openSnapshot, ...about } = await askedSnapshot(deps, asked);
  return {
    ...{ ...about, reader, accounts },
    open: async () => pooledContextIn(reader, await openSnapshot(), accounts, about.now),
  };
}
