// Tokens for programs.
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { keysIn, type AccessKey, type KeyKind, type KeyStore } from './keys.ts';
import { requires, type Right } from './rights.ts';
import { describedRows } from './user-shape.ts';
import type { StoredUser, UserStore } from './users.ts';

interface ApiToken extends Omit<AccessKey, 'label' | 'besides'> {
  name: string;
}

/** Per user. */
const most_tokens = 20;

const kind: KeyKind = {
  ...{ table: 'api_tokens', label: 'name', prefix: 'cl_', one: 'token', most: most_tokens, rightsField: 'rights' },
  ...{ added: 'token.added', revoked: 'token.revoked' },
};

interface WantedToken {
  name: string;
  rights: readonly Right[];
  rows?: Rows;
  days: number;
}

export interface TokenStore extends KeyStore<ApiToken> {
  /** `secret` is what the client sends, and returned only here. Errors: BadUser. */
  add(maker: StoredUser, wanted: WantedToken): { token: ApiToken; secret: string };
}

function check({ rights }: WantedToken): void {
  if (rights.length === 0) throw new BadUser('rights', 'a token without rights opens nothing: choose some');
  for (const right of rights) {
    const needed = requires[right];
    if (needed && !rights.includes(needed)) throw new BadUser('rights', `${right} needs ${needed}`);
  }
}

export function tokensIn(database: DatabaseSync, audit: Audit, users: UserStore, clock: () => number): TokenStore {
  const { add, ...keys } = keysIn(database, audit, users, clock, kind, ({ label, besides: _, ...key }) => ({
    ...{ ...key, name: label },
  }));
  return {
    ...keys,
    add(maker, wanted) {
      check(wanted);
      const { name, rights, rows = {}, days } = wanted;
      const opens = [...rights, ...describedRows(rows)].join(', ');
      const { key, secret } = add(maker, { label: name, rights, rows, days, opens });
      return { token: key, secret };
    },
  };
}
