// Suggested recipients: the user, other visible users, and existing recipients of reports.
import type { ShownDigest } from '#api/contract/digests.ts';
import type { Me } from '#api/contract/sign-in.ts';
import { call } from '#lib/api.ts';

export interface AddressedPerson {
  name: string;
  address: string;
}

/** Each address once, in the order of names. */
export async function knownPeople(
  fetch: typeof globalThis.fetch,
  me: Me,
  digests: readonly ShownDigest[],
): Promise<AddressedPerson[]> {
  const users = me.rights.includes('people:write') ? await call(fetch, 'GET /users') : undefined;
  const all: AddressedPerson[] = [
    ...(me.user ? [me.user] : []),
    ...(users?.kind === 'answered' ? users.answer.users : []),
  ].map(({ name, email }) => ({ name: name || email, address: email }));
  for (const { name, address } of digests.flatMap(({ readers }) => readers))
    if (address !== undefined) all.push({ name, address });
  const byAddress = new Map(all.toReversed().map((person) => [person.address, person]));
  return [...byAddress.values()].sort((one, other) => one.name.localeCompare(other.name));
}
