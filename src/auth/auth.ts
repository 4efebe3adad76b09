// Assembles authentication in one object: users, ways to sign in, sessions, tokens, shared links and the audit, all in one file.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { auditIn, type Audit } from './audit.ts';
import { callerWithShare, callerWithToken, type Caller, type Owed } from './caller.ts';
import { oidcWith, type Provider } from './oidc.ts';
import type { ClaimMapping } from './oidc-claims.ts';
import { passwordReset, type ResetLetter, type PasswordReset } from './password-reset.ts';
import { passwordSignIn, type PasswordSignIn } from './password-sign-in.ts';
import { prepareTables } from './schema.ts';
import { secondFactorIn, type SecondFactor } from './second-factor.ts';
import { sessionsIn, type Sessions } from './sessions.ts';
import { sharesIn, type ShareStore } from './shares.ts';
import { singleSignOn, type SingleSignOn } from './single-sign-on.ts';
import { tokensIn, type TokenStore } from './tokens.ts';
import { userFrom } from './user-shape.ts';
import { usersIn, type StoredUser, type UserHooks, type UserStore } from './users.ts';

export interface Auth {
  users: UserStore;
  sessions: Sessions;
  tokens: TokenStore;
  shares: ShareStore;
  audit: Audit;
  passwords: PasswordSignIn;
  /** Null if no mail can be sent, or nobody signs in with a password. */
  readonly passwordReset: PasswordReset | null;
  secondFactor: SecondFactor;
  /** Null if no provider is configured. */
  singleSignOn: SingleSignOn | null;
  /** Whether users can sign in with a password. */
  hasPasswords: boolean;
  /** Whether shared links can be opened. */
  hasSharing: boolean;
  /** Whether everybody must sign in. */
  isLoginRequired(): boolean;
  byToken(secret: string): Caller | null;
  /** Also null while sharing is switched off. */
  byShare(key: string): Caller | null;
  /** Creates the first admin, as long as there are no users. Errors: BadUser. */
  addFirstAdmin(
    who: { email: string; name: string; password: string },
    /** `isGiven`: the user must choose another password. */
    how?: { isGiven?: boolean },
  ): Promise<StoredUser>;
}

/** An identity provider, and the mapping of its claims. */
export interface ProviderSettings {
  /** Label of the sign-in button. */
  name: string;
  provider: Provider;
  mapping: ClaimMapping;
  isSynced: boolean;
  /** Whether users may also sign in with a password. */
  hasPasswords: boolean;
}

interface AuthMeans {
  /** Public URL of the program. */
  url: string;
  /** Milliseconds. */
  clock: () => number;
  hooks?: UserHooks;
  provider?: ProviderSettings | null;
  /** Whether signing in with a password requires a second factor. */
  needsFactor?: boolean;
  /** Missing: no mail can be sent. */
  send?: (letter: ResetLetter) => Promise<void>;
  /** Whether mail can be sent now; by default always. */
  canSend?: () => boolean;
  log?: (sentence: string) => void;
  /** Whether shared links can be created and opened. */
  hasSharing?: boolean;
  /** Ids of all accounts. */
  accounts?: () => readonly string[];
}

/** Where the provider redirects browsers after sign-in. */
export const callback_path = '/api/sign-on/callback';
export const redirectOf = (url: string): string => new URL(callback_path, url).href;

const noHooks: UserHooks = { onFirst: () => undefined, onRemoved: () => undefined };

export function openAuth(database: DatabaseSync, means: AuthMeans): Auth {
  const { url, clock, hooks = noHooks, provider = null, accounts = () => [], send } = means;
  const { log = () => undefined, needsFactor = false, hasSharing = false, canSend = () => true } = means;
  prepareTables(database);
  const secret = secretIn(database);
  const audit = auditIn(database, clock);
  const stored = usersIn(database, { audit, clock, hooks });
  const factors = secondFactorIn(database, audit, stored, clock);
  const owedBy = (user: string): Owed | undefined => {
    if (stored.givenUntil(user) !== undefined) return 'password';
    const hasPassword = stored.hashOf(user) !== undefined;
    return needsFactor && hasPassword && !factors.isOn(user) ? 'second_factor' : undefined;
  };
  const sessions = sessionsIn(database, { users: stored, owedBy, audit, url, secret, clock });
  const users = forgetting(stored, sessions.forget);
  const secondFactor = forgettingFactors(factors, sessions.forget);
  const tokens = tokensIn(database, audit, users, clock);
  const shares = sharesIn(database, audit, users, clock);
  const hasPasswords = provider?.hasPasswords ?? true;
  const switchedOff = hasPasswords ? null : `passwords are switched off: sign in with ${provider?.name ?? ''}`;
  const passwords = passwordSignIn(database, { users, sessions, secondFactor, audit, clock, switchedOff });
  const reset = hasPasswords && send ? passwordReset(database, { users, audit, clock, url, send, log }) : null;
  return {
    get passwordReset() {
      return canSend() ? reset : null;
    },
    ...{ users, sessions, tokens, shares, audit, passwords, secondFactor, hasPasswords, hasSharing },
    singleSignOn: provider
      ? singleSignOn({
          ...{
            name: provider.name,
            origin: new URL(url).origin,
            mapping: provider.mapping,
            isSynced: provider.isSynced,
          },
          ...{ users, sessions, audit, accounts },
          oidc: oidcWith({ provider: provider.provider, redirect_uri: redirectOf(url), secret, clock }),
        })
      : null,
    isLoginRequired: users.isAny,
    byToken(secret) {
      const found = tokens.find(secret);
      return found ? callerWithToken(found.maker, found.key) : null;
    },
    byShare(key) {
      const found = hasSharing ? shares.find(key) : undefined;
      return found ? callerWithShare(found.maker, found.key) : null;
    },
    addFirstAdmin: ({ email, name, password }, { isGiven = false } = {}) =>
      users.add(userFrom({ email, name, role: 'admin' }), password, { isFirst: true, isGiven }),
  };
}

/** Clears cached sessions when a user changes. */
function forgetting(users: UserStore, forget: () => void): UserStore {
  return {
    ...users,
    async add(...about) {
      const added = await users.add(...about);
      forget();
      return added;
    },
    change(id, user) {
      const changed = users.change(id, user);
      forget();
      return changed;
    },
    async setPassword(id, password, how) {
      await users.setPassword(id, password, how);
      forget();
    },
    remove(id) {
      users.remove(id);
      forget();
    },
  };
}

function forgettingFactors(factors: SecondFactor, forget: () => void): SecondFactor {
  return {
    ...factors,
    async confirm(user, code) {
      const codes = await factors.confirm(user, code);
      forget();
      return codes;
    },
    remove(user) {
      const wasOn = factors.remove(user);
      forget();
      return wasOn;
    },
  };
}

/** The secret that signs the cookies of this folder, created once. */
function secretIn(database: DatabaseSync): string {
  database.exec('create table if not exists auth_secrets (name text primary key, value text not null) strict');
  database
    .prepare("insert into auth_secrets (name, value) values ('cookies', ?) on conflict do nothing")
    .run(randomBytes(32).toString('base64url'));
  return String(database.prepare("select value from auth_secrets where name = 'cookies'").get()?.value);
}
