// Links to a page that open without signing in.
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import type { Rows } from './caller.ts';
import { keysIn, type AccessKey, type KeyKind, type KeyStore } from './keys.ts';
import type { Right } from './rights.ts';
import type { StoredUser, UserStore } from './users.ts';

/** Its rights are figures and, if the maker chose so, named agents. */
export interface ShareKey extends Omit<AccessKey, 'label' | 'besides'> {
  title: string;
  /** The page and its frozen filters; interpreted by the code that shows pages. */
  frozen: unknown;
}

interface WantedShare {
  title: string;
  /** Also figures of agents by name. */
  has_agents: boolean;
  rows: Rows;
  frozen: object;
  /** The same in words, for the audit. */
  shows: string;
  days: number;
}

export interface ShareStore extends KeyStore<ShareKey> {
  /** `key` is part of the link, and returned only here. Errors: BadUser. */
  add(maker: StoredUser, wanted: WantedShare): { share: ShareKey; key: string };
}

export const sharesSchema = `
create table if not exists shares (
  id text primary key, title text not null, user text not null references users (id) on delete cascade,
  hash text not null unique, rights text not null, rows text not null, frozen text not null, created_at text not null,
  expires_at text not null, last_used_at text) strict;`;

/** Per user. */
const most_shares = 100;

const kind: KeyKind = {
  ...{ table: 'shares', label: 'title', besides: 'frozen', prefix: 'cs_', one: 'link', most: most_shares },
  ...{ rightsField: 'has_agents', added: 'share.added', revoked: 'share.revoked' },
};

export function sharesIn(database: DatabaseSync, audit: Audit, users: UserStore, clock: () => number): ShareStore {
  const { add, ...keys } = keysIn(database, audit, users, clock, kind, ({ label, besides, ...key }) => ({
    ...{ ...key, title: label, frozen: besides },
  }));
  return {
    ...keys,
    add(maker, { title, has_agents, rows, frozen, shows, days }) {
      const rights: Right[] = has_agents ? ['numbers:read', 'agents:read'] : ['numbers:read'];
      const opens = rights.join(', ');
      const { key, secret } = add(maker, { label: title, rights, rows, besides: frozen, days, opens, shows });
      return { share: key, key: secret };
    },
  };
}
