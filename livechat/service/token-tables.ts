// Tokens, OAuth clients, authorization codes and the browsers of customers as SQLite tables; every secret is there as a hash only.
import type { DatabaseSync } from 'node:sqlite';

export interface TokenRow {
  kind: 'oauth' | 'personal' | 'bot' | 'customer' | 'refresh';
  /** Login of the agent, or id of the bot or customer. */
  agent: string;
  scopes: string[];
  /** Unix seconds; null never expires. */
  expires: number | null;
  /** The client that it was given to; none of a token that was minted on the machine. */
  client_id: string | null;
  /** The consent that it came from: everything of one is withdrawn together. */
  grant_id: string | null;
}

interface ClientRow {
  client_id: string;
  name: string;
  /** Null for a public client. */
  secret_hash: string | null;
  /** Compared as they are. */
  redirect_uris: string[];
  scopes: string[];
}

interface CodeRow {
  client_id: string;
  redirect_uri: string;
  /** The S256 challenge. */
  challenge: string;
  /** Login of the agent who agreed. */
  agent: string;
  scopes: string[];
  grant_id: string;
  expires: number;
}

const tables = `
  create table if not exists tokens (
    hash text primary key, kind text not null, agent text not null, scopes text not null, expires integer
  ) without rowid;
  create table if not exists oauth_clients (
    client_id text primary key, name text not null, secret_hash text, redirect_uris text not null, scopes text not null
  ) without rowid;
  create table if not exists oauth_codes (
    hash text primary key, client_id text not null, redirect_uri text not null, challenge text not null, agent text not null,
    scopes text not null, grant_id text not null, expires integer not null, is_used integer not null default 0
  ) without rowid;
  create table if not exists customer_browsers (customer_id text primary key, secret_hash text not null) without rowid;
`;

/** Columns that files of older versions lack. */
const added = { client_id: 'text', grant_id: 'text', is_used: 'integer not null default 0' };

const columns = 'kind, agent, scopes, expires, client_id, grant_id';
const codeColumns = 'client_id, redirect_uri, challenge, agent, scopes, grant_id, expires';

/** Reads and writes the tables; whoever writes more than one row opens the transaction before. */
export function createTokenTables(sqlite: DatabaseSync) {
  sqlite.exec(tables);
  const had = new Set(
    sqlite
      .prepare('select name from pragma_table_info(?)')
      .all('tokens')
      .map(({ name }) => name),
  );
  for (const [name, type] of Object.entries(added))
    if (!had.has(name)) sqlite.exec(`alter table tokens add column ${name} ${type}`);
  sqlite.exec(`
    create index if not exists tokens_of_agent on tokens (agent);
    create index if not exists tokens_of_grant on tokens (grant_id) where grant_id is not null;
    create index if not exists tokens_by_end on tokens (expires) where expires is not null;
    create index if not exists oauth_codes_by_end on oauth_codes (expires);
  `);
  const run = {
    put: sqlite.prepare(`insert into tokens (hash, ${columns}) values (?, ?, ?, ?, ?, ?, ?)`),
    use: sqlite.prepare('update tokens set is_used = 1 where hash = ? and is_used = 0'),
    remove: sqlite.prepare('delete from tokens where hash = ?'),
    ofAgent: sqlite.prepare('delete from tokens where agent = ?'),
    codesOfAgent: sqlite.prepare('delete from oauth_codes where agent = ?'),
    ofGrant: sqlite.prepare('delete from tokens where grant_id = ?'),
    old: sqlite.prepare('delete from tokens where expires <= ?'),
    oldCodes: sqlite.prepare('delete from oauth_codes where expires <= ?'),
    client: sqlite.prepare(
      `insert into oauth_clients (client_id, name, secret_hash, redirect_uris, scopes) values (?, ?, ?, ?, ?)
       on conflict (client_id) do update set name = excluded.name, secret_hash = excluded.secret_hash,
         redirect_uris = excluded.redirect_uris, scopes = excluded.scopes`,
    ),
    code: sqlite.prepare(`insert into oauth_codes (hash, ${codeColumns}) values (?, ?, ?, ?, ?, ?, ?, ?)`),
    useCode: sqlite.prepare('update oauth_codes set is_used = 1 where hash = ? and is_used = 0'),
    browser: sqlite.prepare('insert into customer_browsers (customer_id, secret_hash) values (?, ?)'),
  };
  const find = {
    one: sqlite.prepare(`select ${columns} from tokens where hash = ?`),
    client: sqlite.prepare(
      'select client_id, name, secret_hash, redirect_uris, scopes from oauth_clients where client_id = ?',
    ),
    code: sqlite.prepare(`select ${codeColumns} from oauth_codes where hash = ?`),
    browser: sqlite.prepare('select secret_hash from customer_browsers where customer_id = ?'),
  };
  return {
    put(hash: string, { kind, agent, scopes, expires, client_id, grant_id }: TokenRow): void {
      run.put.run(hash, kind, agent, JSON.stringify(scopes), expires, client_id, grant_id);
    },
    one(hash: string): TokenRow | undefined {
      const row = find.one.get(hash);
      return row && ({ ...row, scopes: JSON.parse(String(row.scopes)) } as unknown as TokenRow);
    },
    /** False when a refresh token was used before. */
    use: (hash: string): boolean => run.use.run(hash).changes === 1,
    remove(hash: string): void {
      run.remove.run(hash);
    },
    removeOf(agent: string): void {
      run.ofAgent.run(agent);
      run.codesOfAgent.run(agent);
    },
    removeGrant(grant_id: string): void {
      run.ofGrant.run(grant_id);
    },
    /** Forgets tokens and codes whose time is over. */
    removeExpired(now: number): void {
      run.old.run(now);
      run.oldCodes.run(now);
    },
    putClient({ client_id, name, secret_hash, redirect_uris, scopes }: ClientRow): void {
      run.client.run(client_id, name, secret_hash, JSON.stringify(redirect_uris), JSON.stringify(scopes));
    },
    client(client_id: string): ClientRow | undefined {
      const row = find.client.get(client_id);
      if (!row) return undefined;
      const lists = { redirect_uris: JSON.parse(String(row.redirect_uris)), scopes: JSON.parse(String(row.scopes)) };
      return { ...row, ...lists } as unknown as ClientRow;
    },
    putCode(hash: string, { client_id, redirect_uri, challenge, agent, scopes, grant_id, expires }: CodeRow): void {
      run.code.run(hash, client_id, redirect_uri, challenge, agent, JSON.stringify(scopes), grant_id, expires);
    },
    code(hash: string): CodeRow | undefined {
      const row = find.code.get(hash);
      return row && ({ ...row, scopes: JSON.parse(String(row.scopes)) } as unknown as CodeRow);
    },
    /** False when the code was used before. */
    useCode: (hash: string): boolean => run.useCode.run(hash).changes === 1,
    putBrowser(customer_id: string, secret_hash: string): void {
      run.browser.run(customer_id, secret_hash);
    },
    browserSecret: (customer_id: string): string | undefined =>
      find.browser.get(customer_id)?.secret_hash as string | undefined,
  };
}
