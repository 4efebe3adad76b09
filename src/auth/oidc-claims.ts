// Maps the claims of an identity provider to a user: role, groups, and whether they may sign in at all.
import { NotSignedOn } from './errors.ts';
import type { Role } from './rights.ts';
import { userFrom, type UserInput } from './user-shape.ts';

export interface ClaimMapping {
  /** Path of the claim, and the role of each of its values; the first matching entry wins. */
  roles: { claim: string; of: readonly (readonly [value: string, role: Role])[] } | null;
  /** Path of the claim, and the visible groups for each of its values. */
  groups: { claim: string; of: readonly (readonly [value: string, groups: readonly number[]])[] } | null;
  /** Path of the claim with the agent's login. */
  agent_claim: string;
  /** Who becomes a user at the first sign-in. */
  new_users: {
    /** Domains of verified e-mail addresses. */
    domains: readonly string[];
    /** Values of the role and group claims. */
    values: readonly string[];
  };
}

export type Claims = Readonly<Record<string, unknown>>;

/** The value at a path such as `realm_access.roles`; a claim whose name contains dots is found by its full name. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: unknown = claims;
  for (const part of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

/** A text, or the texts in a list. */
function textsAt(claims: Claims, path: string): string[] {
  const found = claimAt(claims, path);
  const all: unknown[] = Array.isArray(found) ? found : [found];
  return all.filter((value) => typeof value === 'string');
}

/** Without a matching role the user is a viewer. Errors: NotSignedOn, where no group matches. */
export function grantOf(
  claims: Claims,
  { roles, groups, agent_claim }: ClaimMapping,
): Pick<UserInput, 'role' | 'rows'> {
  const named = roles ? textsAt(claims, roles.claim) : [];
  const role = roles?.of.find(([value]) => named.includes(value))?.[1] ?? 'viewer';
  if (role === 'admin') return { role, rows: {} };
  // Users who can edit their own address must not choose whose chats they see.
  const login = agent_claim === 'email' ? verifiedEmail(claims) : textsAt(claims, agent_claim)[0];
  const agent = role === 'agent' ? login : undefined;
  if (role === 'agent' && agent === undefined)
    throw new NotSignedOn(
      'nothing',
      `the claim ${agent_claim}, which names the agent's login, is missing or not verified`,
    );
  if (!groups) return { role, rows: agent === undefined ? {} : { agent } };
  const theirs = textsAt(claims, groups.claim);
  const ids = groups.of.flatMap(([value, ids]) => (theirs.includes(value) ? ids : []));
  if (ids.length === 0)
    throw new NotSignedOn('nothing', `no value of the claim ${groups.claim} is in CHATLEDGER_OIDC_GROUPS`);
  const rows = { groups: [...new Set(ids)].sort((one, other) => one - other) };
  return { role, rows: agent === undefined ? rows : { ...rows, agent } };
}

/** The verified e-mail address, or undefined. */
function verifiedEmail(claims: Claims): string | undefined {
  const { email, email_verified } = claims;
  const isVerified = email_verified === true || email_verified === 'true';
  return typeof email === 'string' && isVerified ? email.trim().toLowerCase() : undefined;
}

/** A new user. Errors: NotSignedOn, if the mapping does not admit them; BadUser. */
export function newUserOf(claims: Claims, mapping: ClaimMapping): UserInput {
  const email = verifiedEmail(claims);
  if (email === undefined) throw new NotSignedOn('unknown', 'the provider names no verified e-mail address');
  const { domains, values } = mapping.new_users;
  const [, domain = ''] = email.split('@');
  const paths = [mapping.roles?.claim, mapping.groups?.claim].filter((path) => path !== undefined);
  const isNamed = paths.some((path) => textsAt(claims, path).some((value) => values.includes(value)));
  if (!domains.includes(domain) && !isNamed)
    throw new NotSignedOn('unknown', `${email} is no user, and CHATLEDGER_OIDC_NEW_USERS does not let them in`);
  const names = ['name', 'preferred_username'].flatMap((claim) => textsAt(claims, claim));
  const [name = email] = names.map((one) => one.replaceAll(/\p{Cc}/gu, ' ').trim()).filter(Boolean);
  return userFrom({ email, name: name.slice(0, 100).toWellFormed(), ...grantOf(claims, mapping), extra_rights: [] });
}
