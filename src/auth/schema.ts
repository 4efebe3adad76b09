// The tables of users, sessions, tokens, shared links and the audit, in the program's own SQLite file: the login library's as it makes them, and ours.
import type { DatabaseSync } from 'node:sqlite';
import { prepareAuditStart } from './audit-start.ts';
import { auditSchema } from './audit.ts';
import { givenSchema } from './password-store.ts';
import { passwordResetSchema } from './password-reset.ts';
import { passwordSignInSchema } from './password-sign-in.ts';
import { secondFactorSchema } from './second-factor.ts';
import { sharesSchema } from './shares.ts';
import { formerAddressesSchema } from './users.ts';

/** TRICKY: the library would create these tables itself, but only after the first query; a test compares them with the library's list. */
export const schema = `
create table if not exists users (
  "id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" integer not null,
  "image" text, "createdAt" date not null, "updatedAt" date not null, "role" text not null,
  "extra_rights" text not null, "rows" text not null);
create table if not exists sessions (
  "id" text not null primary key, "expiresAt" date not null, "token" text not null unique, "createdAt" date not null,
  "updatedAt" date not null, "ipAddress" text, "userAgent" text,
  "userId" text not null references users ("id") on delete cascade);
create table if not exists logins (
  "id" text not null primary key, "accountId" text not null, "providerId" text not null,
  "userId" text not null references users ("id") on delete cascade, "accessToken" text, "refreshToken" text,
  "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
  "createdAt" date not null, "updatedAt" date not null);
create table if not exists verifications (
  "id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" date not null,
  "createdAt" date not null, "updatedAt" date not null);
create index if not exists "sessions_userId_idx" on sessions ("userId");
create unique index if not exists logins_identity on logins ("providerId", "accountId");
create index if not exists "logins_userId_idx" on logins ("userId");
create index if not exists "verifications_identifier_idx" on verifications ("identifier");
create table if not exists api_tokens (
  id text primary key, name text not null, user text not null references users (id) on delete cascade,
  hash text not null unique, rights text not null, rows text not null, created_at text not null,
  expires_at text not null, last_used_at text) strict;`;

/** Creates missing tables and migrates files of earlier versions; existing data stays. */
export function prepareTables(database: DatabaseSync): void {
  database.exec('pragma foreign_keys = on');
  const columns = database.prepare("select name from pragma_table_info('users')").all();
  if (columns.some(({ name }) => name === 'given'))
    database.exec('alter table users rename column "given" to "extra_rights"');
  database.exec(
    [
      schema,
      sharesSchema,
      auditSchema,
      passwordSignInSchema,
      passwordResetSchema,
      secondFactorSchema,
      givenSchema,
      formerAddressesSchema,
    ].join(''),
  );
  prepareAuditStart(database);
}
