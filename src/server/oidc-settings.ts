// Settings of the identity provider: parses lists such as `admins=admin`, and reports problems.
import type { ProviderSettings } from '#auth/auth.ts';
import { roleNames, type Role } from '#auth/rights.ts';
import { entriesIn } from './setting-values.ts';
import type { Maybe } from './settings.ts';

/** `value=what` with commas between them, or with semicolons where a value has commas. */
const pairsIn = (list: string): [value: string, what: string][] =>
  list.split(list.includes(';') ? ';' : ',').map((entry) => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()];
  });

const isRole = (text: string): text is Role => (roleNames as readonly string[]).includes(text);
const isGroups = (text: string): boolean => /^\d{1,9}(\+\d{1,9})*$/.test(text);

export const wrongRoles = (list: string): string | undefined =>
  pairsIn(list).every(([value, role]) => value !== '' && isRole(role))
    ? undefined
    : `must be like chat-admins=admin, leads=manager; the roles are ${roleNames.join(', ')}`;

export const wrongGroups = (list: string): string | undefined =>
  pairsIn(list).every(([value, groups]) => value !== '' && isGroups(groups))
    ? undefined
    : 'must be like sales=2, support=3+4: values of the claim, and ids of groups';

/** The provider according to the settings; null if there is none. */
export function providerOf(maybe: Maybe): ProviderSettings | null {
  const [issuer, client_id] = [maybe('CHATLEDGER_OIDC_ISSUER'), maybe('CHATLEDGER_OIDC_CLIENT_ID')];
  if (issuer === null || client_id === null) return null;
  const [role_claim, roles] = [maybe('CHATLEDGER_OIDC_ROLE_CLAIM'), maybe('CHATLEDGER_OIDC_ROLES')];
  const [group_claim, groups] = [maybe('CHATLEDGER_OIDC_GROUP_CLAIM'), maybe('CHATLEDGER_OIDC_GROUPS')];
  const new_users = entriesIn(maybe('CHATLEDGER_OIDC_NEW_USERS') ?? '');
  const isDomain = (entry: string): boolean => entry.startsWith('@');
  return {
    name: maybe('CHATLEDGER_OIDC_NAME') ?? 'single sign-on',
    provider: {
      ...{ issuer, client_id, client_secret: maybe('CHATLEDGER_OIDC_CLIENT_SECRET') },
      scopes: maybe('CHATLEDGER_OIDC_SCOPES') ?? 'openid',
    },
    mapping: {
      roles:
        role_claim !== null && roles !== null
          ? { claim: role_claim, of: pairsIn(roles).flatMap(([value, role]) => (isRole(role) ? [[value, role]] : [])) }
          : null,
      groups:
        group_claim !== null && groups !== null
          ? { claim: group_claim, of: pairsIn(groups).map(([value, ids]) => [value, ids.split('+').map(Number)]) }
          : null,
      agent_claim: maybe('CHATLEDGER_OIDC_AGENT_CLAIM') ?? 'email',
      new_users: {
        domains: new_users.filter(isDomain).map((entry) => entry.slice(1).toLowerCase()),
        values: new_users.filter((entry) => !isDomain(entry)),
      },
    },
    isSynced: maybe('CHATLEDGER_OIDC_SYNC') === 'on',
    hasPasswords: maybe('CHATLEDGER_PASSWORD_LOGIN') !== 'off',
  };
}
