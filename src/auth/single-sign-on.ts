// Signing in with an identity provider: finds or creates the identity's user, and updates their rights.
import { isDeepStrictEqual } from 'node:util';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { actingAs } from './actor.ts';
import { placeOf } from './address.ts';
import type { Audit } from './audit.ts';
import { BadUser, NotSignedIn, NotSignedOn } from './errors.ts';
import type { Identity, Oidc } from './oidc.ts';
import { grantOf, newUserOf, type ClaimMapping, type Claims } from './oidc-claims.ts';
import { grantable, supported } from './rights.ts';
import type { From, Sessions, SignedIn } from './sessions.ts';
import { consume } from './throttle.ts';
import { inAccount } from './user-shape.ts';
import type { StoredUser, UserStore } from './users.ts';

export interface SingleSignOn {
  /** Label of the button. */
  name: string;
  /** Where the provider sends browsers back to; the cookie of the way has to be set there. */
  origin: string;
  /** `links`: the user who links an identity of theirs. Errors: NotSignedOn. */
  begin(to: string, links?: string): Promise<{ url: string; kept: string }>;
  /**
   * `present`: id of the user of the browser's session; linking an identity requires that the session is unchanged. Errors: NotSignedOn,
   * TooOften.
   */
  finish(address: URL, kept: string | undefined, from: From, present?: string): Promise<Led>;
}

interface Led {
  to: string;
  /** Missing: an identity was linked. */
  signed?: SignedIn;
}

interface SignOnMeans {
  name: string;
  origin: string;
  oidc: Oidc;
  mapping: ClaimMapping;
  /** Role and rows are mapped at each sign-in, and not at the first alone. */
  isSynced: boolean;
  users: UserStore;
  sessions: Sessions;
  audit: Audit;
  /** Ids of all. */
  accounts: () => readonly string[];
}

/** Returns from the provider, per IP address. */
const ofPlace = { points: 60, duration: 600 };

export function singleSignOn(means: SignOnMeans): SingleSignOn {
  const { name, origin, oidc, mapping, isSynced, users, sessions, audit, accounts } = means;
  const places = new RateLimiterMemory(ofPlace);

  async function added(claims: Claims, identity: Identity): Promise<StoredUser> {
    const user = inAccount(newUserOf(claims, mapping), accounts());
    if (users.byEmail(user.email))
      throw new NotSignedOn('taken', `${user.email} is a user who has not linked this identity`);
    return users.add(user, null, { identity });
  }

  /** Updates role and rows from the provider's claims; the last admin stays one. Errors: NotSignedOn, BadUser. */
  function synced(user: StoredUser, claims: Claims): StoredUser {
    const { email, name } = user;
    const { role, rows } = inAccount({ email, name, extra_rights: [], ...grantOf(claims, mapping) }, accounts());
    if (role === user.role && isDeepStrictEqual(rows, user.rows)) return user;
    try {
      const extra_rights = supported(
        role,
        grantable.filter((right) => user.extra_rights.includes(right)),
      );
      return users.change(user.id, { email, name, role, extra_rights, rows });
    } catch (error) {
      if (!(error instanceof BadUser && error.what === 'role')) throw error;
      audit.record({ action: 'user.changed', about: `${user.email}: ${error.message}`, is_refused: true });
      return user;
    }
  }

  function link(links: string, identity: Identity, present: string | undefined): void {
    const user = users.find(links);
    if (!user || present !== links)
      throw new NotSignedOn('expired', 'who wanted to link an identity is not signed in any more');
    const known = users.byIdentity(identity);
    if (known && known.id !== links)
      throw new NotSignedOn('taken', `the identity ${identity.subject} belongs to ${known.email}`);
    if (!known) users.link(user.id, identity);
  }

  async function led(address: URL, kept: string | undefined, from: From, present?: string): Promise<Led> {
    const { identity, claims, to, links } = await oidc.finish(address, kept);
    if (links !== undefined) {
      const by = { who: users.find(links)?.email ?? name, user: links, address: from.address };
      actingAs(by, () => link(links, identity, present));
      return { to };
    }
    const by = { who: name, user: null, address: from.address };
    const user = await actingAs(by, async () => {
      const known = users.byIdentity(identity);
      if (!known) return added(claims, identity);
      return isSynced ? synced(known, claims) : known;
    });
    return { to, signed: await sessions.start(user, from, name) };
  }

  return {
    ...{ name, origin, begin: (to, links) => oidc.begin(to, links) },
    async finish(address, kept, from, present) {
      await consume(places, placeOf(from.address));
      try {
        return await led(address, kept, from, present).catch((error: unknown) => {
          // The claims do not form a valid user, or the user was removed at this moment.
          if (error instanceof BadUser) throw new NotSignedOn('nothing', `${error.what}: ${error.message}`, error);
          if (error instanceof NotSignedIn) throw new NotSignedOn('unknown', error.message, error);
          throw error;
        });
      } catch (error) {
        // A return without a started flow is not recorded: it may be anybody.
        if (error instanceof NotSignedOn && kept !== undefined) {
          const by = { who: name, user: null, address: from.address };
          audit.record({ action: 'session.refused', about: error.message, is_refused: true, by });
        }
        throw error;
      }
    },
  };
}
