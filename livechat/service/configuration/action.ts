// Interface of an action of the Configuration API v3.5, and whose things it is about.
import type { Reach } from '#network/reach.ts';
import type { ServiceAccount } from '../account.ts';
import { isAdministrator } from '../actions/action.ts';
import type { ServiceCaller } from '../callers.ts';
import { refuse } from '../refusals.ts';

export interface ConfigurationRequest<Args> {
  account: ServiceAccount;
  caller: ServiceCaller;
  args: Args;
  /** Where webhooks may go. */
  reach: Reach;
}

/** Runs within one transaction over the store. */
export type ConfigurationAction<Args> = (asked: ConfigurationRequest<Args>) => unknown;

interface NamedOwner {
  owner_client_id?: string | undefined;
  client_id?: string | undefined;
}

/** The client of the token; a token without one names it in the arguments. */
export function ownerOf({ caller, args }: Pick<ConfigurationRequest<NamedOwner>, 'caller' | 'args'>): string {
  const asked = args.owner_client_id ?? args.client_id;
  if (caller.client_id === undefined && asked === undefined)
    throw refuse.v3('validation', '`owner_client_id` is required with a token that belongs to no client');
  if (caller.client_id !== undefined && asked !== undefined && asked !== caller.client_id)
    throw refuse.v3('authorization', 'the token belongs to another client');
  return caller.client_id ?? asked!;
}

/** What is configured concerns the whole account. Throws 403 for everybody else. */
export function demandAdministrator(asked: Pick<ConfigurationRequest<unknown>, 'account' | 'caller'>): void {
  if (!isAdministrator(asked)) throw refuse.v3('authorization', 'only the owner and administrators may do this');
}
