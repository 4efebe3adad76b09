// Settings parsed once; afterwards nothing is optional. The only place that reads the environment.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { AllowedHost } from '#digests/channels/reach.ts';
import { basic, bearer, type ArchiveChoice } from '#etl/source.ts';
import { accounts_file, readAccounts, type AccountsFile, type WrittenAccount } from './accounts-file.ts';
import { Stopped } from './errors.ts';
import {
  bytesOf,
  hostsIn,
  isLoopback,
  proxiesIn,
  settingNames,
  settings,
  type Setting,
  type SettingName,
} from './settings.ts';

/** Where a configured account is asked. */
export interface Remote {
  base_url: string;
  authorization: string;
  region: string;
  requests_per_second: number;
}

export interface AccountConfig {
  id: string;
  /** IANA zone. */
  timezone: string;
  /** YYYY-MM-DD, or null for 90 days before the first start. */
  since: string | null;
  archive_source: ArchiveChoice;
  /** Null means the embedded service. */
  remote: Remote | null;
}

export const default_account = 'default';

export interface Config {
  /** Absolute folder. */
  folder: string;
  host: string;
  port: number;
  /** At least one: those of `chatledger.json`, else the one of the settings, else the embedded service. */
  accounts: readonly [AccountConfig, ...AccountConfig[]];
  pull_cron: string;
  /** Bytes that kept snapshots may take. */
  snapshot_space: number;
  /** Bytes that questions may take together. */
  query_memory: number;
  api_token: string | null;
  /** What links in mails begin with. */
  public_url: string | null;
  /** Addresses and ranges of proxies that may forward to dashboards and API. */
  proxies: readonly string[];
  /** Who is let in first. */
  admin: { email: string; password: string } | null;
  /** Where those links are opened; null without a public address. */
  public_port: number | null;
  /** How digests are mailed; null: not at all. */
  mail: { smtp_url: string; from: string } | null;
  /** Where webhooks may go besides public addresses. */
  webhook_hosts: readonly AllowedHost[];
  service: { timezone: string; port: number; seed: number; days: number; login: string; api_key: string | null };
}

/** One setting as it stands: for doctor. */
export interface SettingReading {
  name: SettingName;
  value: string | null;
  source: 'environment' | '.env' | 'default' | 'unset';
  wrong: string | undefined;
}

export interface Environment {
  readings: SettingReading[];
  /** Variables that begin with CHATLEDGER_ and that nothing knows. */
  unknown: string[];
  /** What `chatledger.json` says; `secrets` are the variables that it names. */
  file: AccountsFile & { secret: (name: string) => string };
}

/** The environment that a child process gets: this one and more. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});

export function readEnvironment(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Environment {
  const file = join(folder, '.env');
  const written = existsSync(file) ? parseEnv(textOf(file)) : {};
  const given = { ...written, ...env };
  const names = Object.keys(given).filter((name) => name.startsWith('CHATLEDGER_'));
  const accounts = readAccounts(folder, given);
  const named = new Set(accounts.accounts.map(({ token_env, api_key_env }) => token_env ?? api_key_env));
  return {
    file: { ...accounts, secret: (name) => given[name] ?? '' },
    readings: settingNames.map((name) => reading(name, env[name], written[name])),
    unknown: names.filter((name) => !Object.hasOwn(settings, name) && !named.has(name)),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stopped(`${file} cannot be read (${reason}): it must be a file this user may read, or not be there`);
  }
}

function reading(name: SettingName, fromEnv: string | undefined, fromFile: string | undefined): SettingReading {
  const setting: Setting = settings[name];
  const given = fromEnv || fromFile;
  const value = given || setting.default;
  const source = fromEnv ? 'environment' : fromFile ? '.env' : setting.default === null ? 'unset' : 'default';
  return { name, value, source, wrong: value === null ? undefined : setting.wrong?.(value) };
}

/** @throws Stopped (exit code 2) that names each wrong or unknown setting and what it must be. */
export function readConfig(environment: Environment = readEnvironment()): Config {
  const complaints = complaintsOf(environment);
  if (complaints.length > 0) throw new Stopped(complaints);
  const values = new Map(environment.readings.map(({ name, value }) => [name, value]));
  const maybe: Maybe = (name) => values.get(name) ?? null;
  const text = (name: SettingName): string => values.get(name) ?? '';
  return {
    folder: resolve(text('CHATLEDGER_DATA')),
    host: text('CHATLEDGER_HOST'),
    port: Number(text('CHATLEDGER_PORT')),
    accounts: accountsOf(environment, maybe),
    pull_cron: text('CHATLEDGER_PULL_CRON'),
    snapshot_space: bytesOf(text('CHATLEDGER_SNAPSHOT_SPACE')) ?? 0,
    query_memory: bytesOf(text('CHATLEDGER_QUERY_MEMORY')) ?? 0,
    api_token: maybe('CHATLEDGER_API_TOKEN'),
    public_url: spelled(maybe('CHATLEDGER_PUBLIC_URL')),
    proxies: proxiesIn(text('CHATLEDGER_TRUSTED_PROXIES')),
    admin: adminOf(maybe),
    public_port: publicPortOf(maybe),
    mail: mailOf(maybe),
    webhook_hosts: hostsIn(text('CHATLEDGER_WEBHOOK_HOSTS')),
    service: {
      timezone: text('CHATLEDGER_TIMEZONE'),
      port: Number(text('CHATLEDGER_SERVICE_PORT')),
      seed: Number(text('CHATLEDGER_SERVICE_SEED')),
      days: Number(text('CHATLEDGER_SERVICE_DAYS')),
      login: text('CHATLEDGER_SERVICE_LOGIN'),
      api_key: maybe('CHATLEDGER_SERVICE_API_KEY'),
    },
  };
}

export function complaintsOf({ readings, unknown, file }: Environment): string[] {
  const wrong = readings
    .filter((item) => item.wrong)
    .map(({ name, value, wrong }) => `${name}=${shown(name, value)} ${wrong}`);
  const strange = unknown.map(
    (name) => `${name} is no setting${nearest(name)}: run 'npx chatledger doctor' for the list`,
  );
  return [
    ...wrong,
    ...strange,
    ...file.complaints,
    ...credentialComplaints(readings, file),
    ...mailComplaints(readings),
    ...publicComplaints(readings),
    ...doorComplaints(readings),
  ];
}

/** An address as browsers spell it, without a slash at its end. */
const spelled = (address: string | null): string | null =>
  address !== null && URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : address;

const adminOf = (maybe: Maybe): Config['admin'] => {
  const [email, password] = [maybe('CHATLEDGER_ADMIN_EMAIL'), maybe('CHATLEDGER_ADMIN_PASSWORD')];
  return email !== null && password !== null ? { email: email.trim(), password } : null;
};

/** Settings that are of no use without each other. */
function doorComplaints(readings: readonly SettingReading[]): string[] {
  const has = (name: SettingName): boolean => valueOf(readings, name) !== null;
  const [email, password] = [has('CHATLEDGER_ADMIN_EMAIL'), has('CHATLEDGER_ADMIN_PASSWORD')];
  const proxies = has('CHATLEDGER_TRUSTED_PROXIES');
  return [
    ...(email === password
      ? []
      : ['CHATLEDGER_ADMIN_EMAIL and CHATLEDGER_ADMIN_PASSWORD go together: set both or none']),
    ...(proxies && !has('CHATLEDGER_PUBLIC_URL')
      ? ['CHATLEDGER_TRUSTED_PROXIES needs CHATLEDGER_PUBLIC_URL: the name under which browsers reach the proxy']
      : []),
    ...(proxies && has('CHATLEDGER_PUBLIC_URL') && !/^https:/i.test(valueOf(readings, 'CHATLEDGER_PUBLIC_URL') ?? '')
      ? ['CHATLEDGER_PUBLIC_URL must begin with https: where CHATLEDGER_TRUSTED_PROXIES is set: passwords go that way']
      : []),
    ...(!isLoopback(valueOf(readings, 'CHATLEDGER_HOST') ?? '') && !proxies
      ? [
          `CHATLEDGER_HOST=${shown('CHATLEDGER_HOST', valueOf(readings, 'CHATLEDGER_HOST'))} must be 127.0.0.1, localhost or ::1 without CHATLEDGER_TRUSTED_PROXIES: passwords are sent over https alone, which a proxy gives`,
        ]
      : []),
  ];
}

function publicComplaints(readings: readonly SettingReading[]): string[] {
  const maybe: Maybe = (name) => valueOf(readings, name);
  const port = publicPortOf(maybe);
  if (port === null) return [];
  if (maybe('CHATLEDGER_PUBLIC_PORT') === null && (port === 1 || port > 65_535))
    return [
      `CHATLEDGER_PUBLIC_PORT must be set beside CHATLEDGER_PORT=${maybe('CHATLEDGER_PORT')}: a proxy has to know it`,
    ];
  if (port === Number(maybe('CHATLEDGER_PORT')))
    return ['CHATLEDGER_PUBLIC_PORT must differ from CHATLEDGER_PORT: links in mails are opened without signing in'];
  return [];
}

/** Without a public address there is nothing to open. */
function publicPortOf(maybe: Maybe): number | null {
  if (maybe('CHATLEDGER_PUBLIC_URL') === null) return null;
  return Number(maybe('CHATLEDGER_PUBLIC_PORT') ?? Number(maybe('CHATLEDGER_PORT')) + 1);
}

function mailComplaints(readings: readonly SettingReading[]): string[] {
  const names = ['CHATLEDGER_SMTP_URL', 'CHATLEDGER_MAIL_FROM'];
  const missing = names.filter((name) => !readings.some((item) => item.name === name && item.value !== null));
  return missing.length === 1 ? [`${names.join(' and ')} belong together: set ${missing.join('')} too`] : [];
}

const valueOf = (readings: readonly SettingReading[], name: SettingName): string | null =>
  readings.find((item) => item.name === name)?.value ?? null;

function credentialComplaints(readings: readonly SettingReading[], { accounts }: AccountsFile): string[] {
  const has = (name: SettingName): boolean => readings.some((item) => item.name === name && item.value !== null);
  if (!has('CHATLEDGER_BASE_URL')) return [];
  if (accounts.length > 0)
    return [
      `CHATLEDGER_BASE_URL and ${accounts_file} both name accounts: write that one into the file too, and unset it`,
    ];
  if (has('CHATLEDGER_TOKEN')) return [];
  if (valueOf(readings, 'CHATLEDGER_ARCHIVE_SOURCE') !== 'rest_v2')
    return ['CHATLEDGER_ARCHIVE_SOURCE needs CHATLEDGER_TOKEN: the Agent Chat API takes a Bearer token only'];
  if (has('CHATLEDGER_LOGIN') && has('CHATLEDGER_API_KEY')) return [];
  return ['CHATLEDGER_BASE_URL needs credentials: set CHATLEDGER_TOKEN, or CHATLEDGER_LOGIN and CHATLEDGER_API_KEY'];
}

type Maybe = (name: SettingName) => string | null;

function accountsOf({ file }: Environment, maybe: Maybe): Config['accounts'] {
  const standard = {
    id: default_account,
    timezone: maybe('CHATLEDGER_TIMEZONE') ?? 'UTC',
    since: maybe('CHATLEDGER_SINCE'),
    archive_source: (maybe('CHATLEDGER_ARCHIVE_SOURCE') ?? 'rest_v2') as ArchiveChoice,
    pace: Number(maybe('CHATLEDGER_REQUESTS_PER_SECOND')),
  };
  const [first, ...rest] = file.accounts.map((written) => writtenAccount(written, standard, file.secret));
  if (first) return [first, ...rest];
  const { pace, ...account } = standard;
  const base_url = maybe('CHATLEDGER_BASE_URL');
  if (base_url === null) return [{ ...account, remote: null }];
  const credentials = {
    token: maybe('CHATLEDGER_TOKEN'),
    login: maybe('CHATLEDGER_LOGIN') ?? '',
    key: maybe('CHATLEDGER_API_KEY') ?? '',
  };
  return [{ ...account, remote: remoteOf(base_url, credentials, maybe('CHATLEDGER_REGION'), pace) }];
}

/** What the file leaves out is as the settings say it for all. */
function writtenAccount(
  { id, base_url, timezone, since, archive_source, region, requests_per_second, ...by }: WrittenAccount,
  standard: { timezone: string; since: string | null; archive_source: ArchiveChoice; pace: number },
  secret: (name: string) => string,
): AccountConfig {
  const credentials = {
    token: by.token_env ? secret(by.token_env) : null,
    login: by.login ?? '',
    key: by.api_key_env ? secret(by.api_key_env) : '',
  };
  return {
    id,
    timezone: timezone ?? standard.timezone,
    since: since ?? standard.since,
    archive_source: archive_source ?? standard.archive_source,
    remote: remoteOf(base_url, credentials, region ?? null, requests_per_second ?? standard.pace),
  };
}

function remoteOf(
  base_url: string,
  { token, login, key }: { token: string | null; login: string; key: string },
  region: string | null,
  requests_per_second: number,
): Remote {
  return {
    base_url: base_url.replace(/\/+$/, ''),
    authorization: token ? bearer(token) : basic(login, key),
    region: region ?? (token?.startsWith('fra:') ? 'fra' : 'dal'),
    requests_per_second,
  };
}

function mailOf(maybe: (name: SettingName) => string | null): Config['mail'] {
  const [smtp_url, from] = [maybe('CHATLEDGER_SMTP_URL'), maybe('CHATLEDGER_MAIL_FROM')];
  return smtp_url !== null && from !== null ? { smtp_url, from } : null;
}

/** A secret is never printed, nor what stands in an address besides the address, wherever it was written. */
export function shown(name: SettingName, value: string | null): string | null {
  const { is_secret, is_address }: Setting = settings[name];
  if (value === null) return null;
  if (is_secret) return '(set)';
  return is_address || value.includes('//') ? withoutSecrets(value) : value;
}

/**
 * An address without user, password and query, also one that is no address: all up to the last @ may be a password, and
 * so may what stands after a colon where no port does.
 */
export function withoutSecrets(address: string): string {
  const [, scheme = '', slashes = ''] = /^\s*((?:https?|[a-z][a-z0-9+.-]*(?=:\/)):)?(\/*)/i.exec(address) ?? [];
  const at = address.lastIndexOf('@');
  const rest = at < 0 ? address.slice(scheme.length + slashes.length) : `…${address.slice(at)}`;
  const isPort = /^(?:[^:[]*|[^:]*\[[0-9a-f:.]*\])(?::\d{1,5})?(?:\/[^:]*)?$/i;
  const [place = ''] = rest.split(/[?#]/);
  const kept = isPort.test(place) ? place : place.replace(/:.*/s, ':…');
  return `${scheme}${slashes}${kept}${place === rest ? '' : '?…'}`;
}

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
