// Settings parsed once; afterwards nothing is optional. The only place that reads the environment.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { basic, bearer } from '#etl/source.ts';
import { Stopped } from './errors.ts';
import { bytesOf, laterSettings, settingNames, settings, type Setting, type SettingName } from './settings.ts';

export interface Config {
  /** Absolute folder. */
  folder: string;
  host: string;
  port: number;
  timezone: string;
  /** The configured account; null means the embedded service. */
  remote: { base_url: string; authorization: string; region: string; requests_per_second: number } | null;
  /** YYYY-MM-DD, or null for 90 days before the first start. */
  since: string | null;
  pull_cron: string;
  /** Bytes that kept snapshots may take. */
  snapshot_space: number;
  api_token: string | null;
  service: { port: number; seed: number; days: number; login: string; api_key: string | null };
}

/** One setting as it stands: for doctor. */
export interface Reading {
  name: SettingName;
  value: string | null;
  source: 'environment' | '.env' | 'default' | 'unset';
  wrong: string | undefined;
}

export interface Environment {
  readings: Reading[];
  /** Variables that begin with CHATLEDGER_ and that nothing knows. */
  unknown: string[];
  /** Variables of capabilities that are not built yet. */
  later: string[];
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Environment {
  const file = join(folder, '.env');
  const written = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const given = { ...written, ...env };
  const names = Object.keys(given).filter((name) => name.startsWith('CHATLEDGER_'));
  const later: readonly string[] = laterSettings;
  return {
    readings: settingNames.map((name) => reading(name, env[name], written[name])),
    unknown: names.filter((name) => !(name in settings) && !later.includes(name)),
    later: names.filter((name) => later.includes(name)),
  };
}

function reading(name: SettingName, fromEnv: string | undefined, fromFile: string | undefined): Reading {
  const setting: Setting = settings[name];
  const given = fromEnv || fromFile;
  const value = given || setting.default;
  const source = fromEnv ? 'environment' : fromFile ? '.env' : setting.default === null ? 'unset' : 'default';
  return { name, value, source, wrong: value === null ? undefined : setting.wrong?.(value) };
}

/** @throws Stopped (exit code 2) that names each wrong or unknown setting and what it must be. */
export function readConfig(environment: Environment = readEnvironment()): Config {
  const complaints = complaintsOf(environment);
  if (complaints.length > 0) throw new Stopped(complaints.join('\n'));
  const values = new Map(environment.readings.map(({ name, value }) => [name, value]));
  const maybe = (name: SettingName): string | null => values.get(name) ?? null;
  const text = (name: SettingName): string => values.get(name) ?? '';
  return {
    folder: resolve(text('CHATLEDGER_DATA')),
    host: text('CHATLEDGER_HOST'),
    port: Number(text('CHATLEDGER_PORT')),
    timezone: text('CHATLEDGER_TIMEZONE'),
    remote: remoteOf(maybe),
    since: maybe('CHATLEDGER_SINCE'),
    pull_cron: text('CHATLEDGER_PULL_CRON'),
    snapshot_space: bytesOf(text('CHATLEDGER_SNAPSHOT_SPACE')) ?? 0,
    api_token: maybe('CHATLEDGER_API_TOKEN'),
    service: {
      port: Number(text('CHATLEDGER_SERVICE_PORT')),
      seed: Number(text('CHATLEDGER_SERVICE_SEED')),
      days: Number(text('CHATLEDGER_SERVICE_DAYS')),
      login: text('CHATLEDGER_SERVICE_LOGIN'),
      api_key: maybe('CHATLEDGER_SERVICE_API_KEY'),
    },
  };
}

export function complaintsOf({ readings, unknown }: Environment): string[] {
  const wrong = readings
    .filter((item) => item.wrong)
    .map(({ name, value, wrong }) => `${name}=${shown(name, value)} ${wrong}`);
  const strange = unknown.map(
    (name) => `${name} is no setting${nearest(name)}: run 'npx chatledger doctor' for the list`,
  );
  return [...wrong, ...strange, ...credentialComplaints(readings)];
}

function credentialComplaints(readings: readonly Reading[]): string[] {
  const has = (name: SettingName): boolean => readings.some((item) => item.name === name && item.value !== null);
  if (!has('CHATLEDGER_BASE_URL')) return [];
  if (has('CHATLEDGER_TOKEN') || (has('CHATLEDGER_LOGIN') && has('CHATLEDGER_API_KEY'))) return [];
  return ['CHATLEDGER_BASE_URL needs credentials: set CHATLEDGER_TOKEN, or CHATLEDGER_LOGIN and CHATLEDGER_API_KEY'];
}

function remoteOf(maybe: (name: SettingName) => string | null): Config['remote'] {
  const base = maybe('CHATLEDGER_BASE_URL');
  if (base === null) return null;
  const token = maybe('CHATLEDGER_TOKEN');
  const named = token?.startsWith('fra:') ? 'fra' : 'dal';
  return {
    base_url: base.replace(/\/+$/, ''),
    authorization: token ? bearer(token) : basic(maybe('CHATLEDGER_LOGIN') ?? '', maybe('CHATLEDGER_API_KEY') ?? ''),
    region: maybe('CHATLEDGER_REGION') ?? named,
    requests_per_second: Number(maybe('CHATLEDGER_REQUESTS_PER_SECOND')),
  };
}

/** A secret is never printed. */
export const shown = (name: SettingName, value: string | null): string | null =>
  value !== null && (settings[name] as Setting).is_secret ? '(set)' : value;

function nearest(name: string): string {
  const words = new Set(name.split('_').slice(1));
  const alike = settingNames.filter((known) =>
    known
      .split('_')
      .slice(1)
      .some((word) => words.has(word)),
  );
  return alike.length > 0 ? ` (did you mean ${alike.slice(0, 3).join(' or ')}?)` : '';
}
