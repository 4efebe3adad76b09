// How chats find their agents, as the namespace `chat_assignment` of the account's and the groups' properties says it.
import { assignmentNamespace } from '#contract/account-properties.ts';
import type { PropertyValues } from '#contract/properties.ts';
import type { ServiceAccount } from '../account.ts';

/** The rules as they are at this moment: properties are read once. What a group does not say the account says for it. */
export function assignmentRules({ store: { live } }: ServiceAccount) {
  const read = new Map<number | 'account', PropertyValues[string]>();
  function of(owner: number | 'account'): PropertyValues[string] {
    const known = read.get(owner);
    if (known) return known;
    const all = owner === 'account' ? live.licenseProperties() : live.groupProperties(owner);
    const own = all[assignmentNamespace] ?? {};
    read.set(owner, own);
    return own;
  }
  const ruleOf = (group: number, name: string) => of(group)[name] ?? of('account')[name];
  return {
    /** Whether customers may wait for one of these groups. */
    hasQueue: (groups: readonly number[]): boolean => groups.some((group) => ruleOf(group, 'queue_enabled') !== false),
    /** Minutes without a reply after which a chat of these groups goes to another agent; undefined for never. */
    reassignAfter(groups: readonly number[]): number | undefined {
      const minutes = groups.map((group) => Number(ruleOf(group, 'reassign_after_minutes') ?? 0)).filter(Boolean);
      return minutes.length === 0 ? undefined : Math.min(...minutes);
    },
  };
}
export type AssignmentRules = ReturnType<typeof assignmentRules>;
