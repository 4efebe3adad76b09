// Groups and agents that somebody names, held against those that the accounts list.
import { BlockedWarehouse, BusyWarehouse, DamagedWarehouse, UnreachableWarehouse } from '#warehouse/errors.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { noSuchAccount, notListed } from '#warehouse/read/account-lists.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';

interface NamedParts {
  accounts: readonly string[];
  groups: readonly number[];
  agents: readonly string[];
}

/**
 * A mistyped group or login would show nothing, without a word. Before the first publication, and in an account that lists none yet, any
 * may be named. `reader`: who is told the choices, of their own alone; `whose`: of what, for the log; `fields`: where they were named. Errors: Declined.
 */
export async function assertListed(
  deps: ApiDeps,
  reader: Reader,
  named: NamedParts,
  whose: string,
  fields = { groups: 'groups', agent: 'agent' },
): Promise<void> {
  const snapshot = named.groups.length > 0 || named.agents.length > 0 ? deps.snapshot() : null;
  if (!snapshot) return;
  let unknown;
  try {
    unknown = await notListed(named, deps.accounts(), snapshot, reader);
  } catch (error) {
    if (!unreadable.some((kind) => error instanceof kind)) throw error;
    // Who may read is said also while there is nothing to hold it against.
    deps.log?.(`groups and agent of ${whose} could not be checked: ${(error as Error).message}`);
    return;
  }
  if (unknown)
    throw new Declined(
      'bad_request',
      `${unknown.kind === 'groups' ? fields.groups : fields.agent}: ${unknown.sentence}`,
      unknown.choices,
    );
}

/** `accounts`: ids of all that may be named. Errors: Declined. */
export function assertAccounts(named: readonly string[], accounts: readonly string[]): void {
  const unknown = noSuchAccount(named, accounts);
  if (unknown) throw new Declined('bad_request', `${unknown.kind}: ${unknown.sentence}`, unknown.choices);
}

const unreadable = [DamagedWarehouse, BlockedWarehouse, BusyWarehouse, UnreachableWarehouse];
