// Interface of an action of the REST API v2.0: it receives the account, the caller, the name in the path and the arguments.
import type { ServiceAccount } from '../account.ts';
import type { ServiceCaller } from '../callers.ts';
import type { SendMail } from '../mail.ts';
import { refuse } from '../refusals.ts';

export interface ActionRequest {
  account: ServiceAccount;
  caller: ServiceCaller;
  /** Login, id or tag in the path; empty where the path has none. */
  name: string;
  /** As the contract's fields read them. */
  args: Record<string, unknown>;
  sendMail: SendMail | undefined;
}

/**
 * Runs within one transaction over the store. Actions return a function because the answer is built after the transaction, when memory
 * has been updated.
 */
export type Action = (asked: ActionRequest) => () => unknown;

/** The record that the path names. Throws 404 for none. */
export function named<T>(record: T | undefined): T {
  if (record === undefined) throw refuse.missing();
  return record;
}

/** The id in the path, or one that nothing has. */
export const idOf = (name: string): number => (/^\d{1,15}$/.test(name) ? Number(name) : -1);

/** Ids are never reused, even after a removal. */
export function nextId({ store }: ServiceAccount, kind: string, taken: Iterable<{ id: number }>): number {
  const setting = `last_id_${kind}`;
  const last = Number(store.setting(setting) ?? 0);
  const id = Math.max(last, ...[...taken].map((each) => each.id)) + 1;
  store.putSetting(setting, id);
  return id;
}

/** Throws 400 unless a group has this id. */
export function demandGroup({ store }: ServiceAccount, argument: string, id: number): void {
  if (!store.staff.one('groups', id)) throw refuse.arguments(`${argument}: there is no group ${id}`);
}

/** Throws 400 unless all of them are agents. */
export function demandAgents({ store }: ServiceAccount, argument: string, logins: readonly string[]): void {
  const strange = logins.find((login) => !store.staff.one('agents', login));
  if (strange !== undefined) throw refuse.arguments(`${argument}: there is no agent ${strange}`);
}

export const isAdministrator = ({ account, caller }: Pick<ActionRequest, 'account' | 'caller'>): boolean =>
  account.staff.agents.some((agent) => agent.login === caller.agent && agent.permission !== 'normal');
