// What changed in the settings since the last start, for the audit; of a secret only that it changed.
import { argon2Sync, createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from '#auth/audit.ts';
import { inTransaction } from '#auth/transaction.ts';
import type { Environment } from './config.ts';
import { shown } from './secrets.ts';
import { settings, type SettingDefinition, type SettingName } from './settings.ts';

/** Name of a setting -> what may be told of it, and what changes with it. */
type Kept = Record<string, { told: string; mark: string }>;

const isSecret = (name: SettingName): boolean => (settings[name] as SettingDefinition).is_secret ?? false;

/** A slow hash, so that secrets cannot be guessed. */
const secretMark = (value: string, nonce: string): string =>
  argon2Sync('argon2id', { message: value, nonce, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }).toString(
    'hex',
  );
const plainMark = (value: string): string => createHash('sha256').update(value).digest('hex');

function present({ readings, file }: Environment, salt: string): Kept {
  const own = readings.flatMap(({ name, value, source }) =>
    value === null || source === 'default'
      ? []
      : [[name, { told: shown(name, value) ?? '', mark: isSecret(name) ? secretMark(value, salt) : plainMark(value) }]],
  );
  const accounts = file.accounts.map((account) => {
    const text = JSON.stringify(account);
    return [`account ${account.id}`, { told: text, mark: plainMark(text) }];
  });
  return Object.fromEntries([...own, ...accounts]) as Kept;
}

/** Compares the settings with those of the last start, and stores the current ones. */
export function recordSettings(database: DatabaseSync, { record }: Audit, environment: Environment): void {
  inTransaction(database, () => {
    database.exec('create table if not exists last_settings (salt text not null, kept text not null) strict');
    const [row] = database.prepare('select salt, kept from last_settings').all();
    const salt = row ? String(row.salt) : randomBytes(16).toString('hex');
    const before = row ? (JSON.parse(String(row.kept)) as Kept) : {};
    const now = present(environment, salt);
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
    for (const name of names) {
      const [old, next] = [before[name], now[name]];
      if (old?.mark !== next?.mark)
        record({ action: 'settings.changed', about: `${name}: ${old?.told ?? 'unset'} -> ${next?.told ?? 'unset'}` });
    }
    database.exec('delete from last_settings');
    database.prepare('insert into last_settings values (?, ?)').run(salt, JSON.stringify(now));
  });
}
