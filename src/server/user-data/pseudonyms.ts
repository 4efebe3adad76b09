// The secret in app.sqlite by which visitors and agents become pseudonyms: the same ones in every snapshot, and others elsewhere.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

const secret_bytes = 16;

export function pseudonymSecretIn(database: DatabaseSync): string {
  database.exec(
    'create table if not exists pseudonym_secret (one integer primary key check (one = 1), secret text not null) strict',
  );
  database
    .prepare('insert into pseudonym_secret (one, secret) values (1, ?) on conflict do nothing')
    .run(randomBytes(secret_bytes).toString('base64url'));
  return String(database.prepare('select secret from pseudonym_secret').get()?.['secret']);
}
