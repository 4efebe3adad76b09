// Settings parsed once; afterwards nothing is optional. The only place that reads the environment.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { AllowedHost } from '#network/reach.ts';
import type { ProviderSettings } from '#auth/auth.ts';
import type { Brand } from '#digests/brand.ts';
import type { Rules } from '#etl/redact/rules.ts';
import { readAccounts, withoutSecret, type AccountsFile } from './accounts-file.ts';
import { accountsOf, type AccountConfig } from './configured-accounts.ts';
import type { MonitoringSettings } from './monitoring/monitoring-server.ts';
import { complaintsOf } from './settings-problems.ts';
import type { Keep } from './erased/due.ts';
import { Stopped } from './errors.ts';
import { providerOf } from './oidc-settings.ts';
import { publicPortOf } from './public-port.ts';
import { redactionOf } from './redaction-settings.ts';
import { isChangeable, savedSettingsIn } from './saved-settings.ts';
import { secretsInFiles } from './secret-files.ts';
import { databaseAddressIn, databasePasswordsIn, type DatabaseAddress } from '#warehouse/engines/database.ts';
import { allFigures, type AgentFigures } from '#warehouse/query/agent-figures.ts';
import { questionLimits } from './question-limits.ts';
import { agentFiguresOf, bytesOf, hostsIn, originsIn, proxiesIn, seedOf } from './setting-values.ts';
import type { QueryLimits } from './snapshots.ts';
import type { SqlLimitSettings } from './sql-limit-settings.ts';
import { isReceiverNamed, receiverComplaints } from './tracing/variables.ts';
import { settingNames, settings, type Maybe, type SettingDefinition, type SettingName } from './settings.ts';

export interface BackupSettings {
  /** Absolute folder; null: no backups are made by themselves. */
  folder: string | null;
  cron: string;
  /** How many are kept. */
  kept: number;
  passphrase: string | null;
}

export interface Config {
  /** Absolute folder. */
  folder: string;
  host: string;
  port: number;
  /** At least one: those of `chatledger.json`, else the one of the settings, else the embedded service. */
  accounts: readonly [AccountConfig, ...AccountConfig[]];
  pull_cron: string;
  /** Settings may be changed on their page. */
  has_settings_page: boolean;
  /** Disk space for kept snapshots, in bytes. */
  snapshot_space: number;
  /** Readers ask it instead of files; null: files. */
  database: DatabaseAddress | null;
  /** Readers see the accounts of all folders that publish to it, and this folder publishes none. */
  reads_all: boolean;
  /** How long an account stays this folder's there unless it is heard of. */
  lease_seconds: number;
  /** What questions may take together. */
  questions: QueryLimits;
  /** What statements of people may take. */
  sql: SqlLimitSettings;
  backup: BackupSettings;
  /** Null: nothing listens for it. */
  monitoring: MonitoringSettings | null;
  api_token: string | null;
  /** Sent by `chatledger mcp`; no token of this server. */
  mcp_token: string | null;
  /** What links in mails begin with. */
  public_url: string | null;
  /** Addresses and ranges of proxies that may forward to dashboards and API. */
  proxies: readonly string[];
  /** Which named agents' figures are shown. */
  agent_figures: AgentFigures;
  /** Redaction of texts when chats are decoded. */
  redaction: Rules;
  /** The file that defines business hours in place of the page. */
  business_hours: string | null;
  /** Retention of texts and names. */
  keep: Keep;
  /** Retention of audit rows in whole months; null: for ever. */
  keep_audit: number | null;
  /** Null: as measured. */
  settling_days: number | null;
  /** Who is let in first. */
  admin: { email: string; password: string } | null;
  /** The identity provider of single sign-on. */
  provider: ProviderSettings | null;
  /** Who signs in with a password must have a second factor. */
  needs_factor: boolean;
  /** Links may open pages without signing in. */
  has_sharing: boolean;
  /** Origins whose pages may embed those; empty without sharing. */
  embedders: readonly string[];
  /** Where those links are opened; null without a public address. */
  public_port: number | null;
  /** What the installation is called, and its colour, on pages and in documents. */
  brand: Omit<Brand, 'logo'>;
  /** How digests are mailed; null: not at all. */
  mail: { smtp_url: string; from: string } | null;
  /** Hosts that webhooks may reach besides public addresses. */
  webhook_hosts: readonly AllowedHost[];
  service: {
    timezone: string;
    port: number;
    seed: number;
    days: number;
    login: string;
    api_key: string | null;
    outgoing_hosts: readonly AllowedHost[];
  };
}

/** One setting with its value and source, for the doctor. */
export interface SettingReading {
  name: SettingName;
  value: string | null;
  /** `file`: NAME_FILE contains the path; `page`: saved on the page Settings. */
  source: 'environment' | '.env' | 'file' | 'page' | 'default' | 'unset';
  wrong: string | undefined;
}

export interface Environment {
  readings: SettingReading[];
  /** Variables that begin with CHATLEDGER_ and that nothing knows. */
  unknown: string[];
  /** The content of `chatledger.json`, and problems with it or with files that hold secrets. */
  file: AccountsFile & { secret: (name: string) => string };
}

const secretNames = settingNames.filter((name) => (settings[name] as SettingDefinition).is_secret);

/** What the variables of AWS say of the store of an export. */
export function storeOfEnvironment(): { endpoint: string | undefined; hasRegion: boolean } {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE } = process.env;
  return { endpoint: AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL, hasRegion: Boolean(AWS_REGION ?? AWS_PROFILE) };
}

/** Whether the standard variables name a receiver of traces. @throws Stopped when it would get none. */
export function isTraced(env: NodeJS.ProcessEnv = process.env): boolean {
  if (!isReceiverNamed(env)) return false;
  const complaints = receiverComplaints(env);
  if (complaints.length > 0) throw new Stopped(complaints);
  return true;
}

/** The environment wins over `.env`, this over files of secrets, and all of them over the page Settings. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Environment {
  const file = join(folder, '.env');
  const written = existsSync(file) ? parseEnv(textOf(file)) : {};
  const given = { ...written, ...env };
  const names = Object.keys(given).filter((name) => name.startsWith('CHATLEDGER_'));
  const accounts = readAccounts(folder);
  const named = accounts.accounts.flatMap(({ token_env, api_key_env }) => token_env ?? api_key_env ?? []);
  const secrets = [...secretNames, ...named];
  const { values, complaints } = secretsInFiles(given, secrets);
  const saved = savedSettingsIn(resolve(folder, given.CHATLEDGER_DATA || settings.CHATLEDGER_DATA.default));
  const missing = complaints.length > 0 ? [] : withoutSecret(accounts.accounts, { ...given, ...values });
  const known = new Set<string>([...settingNames, ...secrets.flatMap((name) => [name, `${name}_FILE`])]);
  return {
    file: {
      accounts: missing.length > 0 ? [] : accounts.accounts,
      complaints: [...accounts.complaints, ...complaints, ...missing, ...saved.complaints],
      secret: (name) => values[name] ?? given[name] ?? '',
    },
    readings: settingNames.map((name) =>
      reading(name, env[name], written[name], values[name], isChangeable(name) ? saved.values[name] : undefined),
    ),
    unknown: names.filter((name) => !known.has(name)),
  };
}

/** Values that must not be in a log. */
export function secretsIn({ readings, file }: Environment): string[] {
  const ofSettings = readings.filter(({ name }) => secretNames.includes(name)).flatMap(({ value }) => value ?? []);
  const address = readings.find(({ name, wrong }) => name === 'CHATLEDGER_WAREHOUSE' && !wrong)?.value ?? null;
  const ofDatabase = address === null ? [] : databasePasswordsIn(address);
  const ofAccounts = file.accounts.flatMap(({ token_env, api_key_env }) => token_env ?? api_key_env ?? []);
  return [...ofSettings, ...ofDatabase, ...ofAccounts.map(file.secret)];
}

/** How the log is written, and what must not be in it. What is wrong with the settings is said when the command reads them. */
export function logSettings(): { isJson: boolean; secrets: readonly string[] } {
  try {
    const environment = readEnvironment();
    return {
      isJson: environment.readings.some(({ name, value }) => name === 'CHATLEDGER_LOG' && value === 'json'),
      secrets: secretsIn(environment),
    };
  } catch (error) {
    if (error instanceof Stopped) return { isJson: false, secrets: [] };
    throw error;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stopped(`${file} cannot be read (${reason}): it must be a file this user may read, or not be there`);
  }
}

function reading(name: SettingName, ...[fromEnv, fromFile, secret, saved]: (string | undefined)[]): SettingReading {
  const setting: SettingDefinition = settings[name];
  const value = fromEnv || fromFile || secret || saved || setting.default;
  const unset = setting.default === null ? 'unset' : 'default';
  const source = fromEnv ? 'environment' : fromFile ? '.env' : secret ? 'file' : saved ? 'page' : unset;
  return { name, value, source, wrong: value === null ? undefined : setting.wrong?.(value) };
}

/** @throws Stopped (exit code 2) naming each invalid or unknown setting and its valid values. */
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
    accounts: accountsOf(environment.file, maybe),
    pull_cron: text('CHATLEDGER_PULL_CRON'),
    has_settings_page: maybe('CHATLEDGER_SETTINGS_PAGE') === 'on',
    snapshot_space: bytesOf(text('CHATLEDGER_SNAPSHOT_SPACE')) ?? 0,
    database: databaseOf(maybe),
    reads_all: maybe('CHATLEDGER_WAREHOUSE_ACCOUNTS') === 'all',
    lease_seconds: Number(text('CHATLEDGER_WAREHOUSE_LEASE')) * 60,
    questions: questionLimits(bytesOf(text('CHATLEDGER_QUERY_MEMORY'))),
    sql: {
      seconds: text('CHATLEDGER_SQL_SECONDS'),
      rows: text('CHATLEDGER_SQL_ROWS'),
      memory: text('CHATLEDGER_SQL_MEMORY'),
      spill: text('CHATLEDGER_SQL_SPILL'),
    },
    backup: {
      folder: resolved(maybe('CHATLEDGER_BACKUP')),
      cron: text('CHATLEDGER_BACKUP_CRON'),
      kept: Number(text('CHATLEDGER_BACKUP_KEEP')),
      passphrase: maybe('CHATLEDGER_BACKUP_KEY'),
    },
    monitoring: monitoringOf(maybe),
    api_token: maybe('CHATLEDGER_API_TOKEN'),
    mcp_token: maybe('CHATLEDGER_MCP_TOKEN'),
    provider: providerOf(maybe),
    needs_factor: maybe('CHATLEDGER_SECOND_FACTOR') === 'required',
    public_url: spelled(maybe('CHATLEDGER_PUBLIC_URL')),
    proxies: proxiesIn(text('CHATLEDGER_TRUSTED_PROXIES')),
    agent_figures: agentFiguresOf(text('CHATLEDGER_AGENT_FIGURES')) ?? allFigures,
    redaction: redactionOf(maybe),
    business_hours: maybe('CHATLEDGER_BUSINESS_HOURS'),
    keep: { texts: numberOrNull(maybe('CHATLEDGER_KEEP_TEXTS')), names: numberOrNull(maybe('CHATLEDGER_KEEP_NAMES')) },
    keep_audit: numberOrNull(maybe('CHATLEDGER_KEEP_AUDIT')),
    settling_days: numberOrNull(maybe('CHATLEDGER_SETTLING_DAYS')),
    admin: adminOf(maybe),
    has_sharing: maybe('CHATLEDGER_SHARING') === 'on',
    embedders: maybe('CHATLEDGER_SHARING') === 'on' ? originsIn(text('CHATLEDGER_EMBED_ORIGINS')) : [],
    public_port: publicPortOf(maybe),
    brand: { name: text('CHATLEDGER_NAME'), accent: maybe('CHATLEDGER_ACCENT') },
    mail: mailOf(maybe),
    webhook_hosts: hostsIn(text('CHATLEDGER_WEBHOOK_HOSTS')),
    service: {
      timezone: text('CHATLEDGER_TIMEZONE'),
      port: Number(text('CHATLEDGER_SERVICE_PORT')),
      seed: seedOf(text('CHATLEDGER_SERVICE_SEED')),
      days: Number(text('CHATLEDGER_SERVICE_DAYS')),
      login: text('CHATLEDGER_SERVICE_LOGIN'),
      api_key: maybe('CHATLEDGER_SERVICE_API_KEY'),
      outgoing_hosts: hostsIn(text('CHATLEDGER_SERVICE_OUTGOING_HOSTS')),
    },
  };
}

const monitoringOf = (maybe: Maybe): MonitoringSettings | null => {
  const port = maybe('CHATLEDGER_METRICS_PORT');
  const host = maybe('CHATLEDGER_METRICS_HOST') ?? '127.0.0.1';
  return port === null ? null : { host, port: Number(port), password: maybe('CHATLEDGER_METRICS_PASSWORD') };
};

const databaseOf = (maybe: Maybe): DatabaseAddress | null => {
  const address = maybe('CHATLEDGER_WAREHOUSE');
  return address === null ? null : databaseAddressIn(address, maybe('CHATLEDGER_WAREHOUSE_PASSWORD'));
};

const resolved = (path: string | null): string | null => (path === null ? null : resolve(path));

/** An address as browsers spell it, without a slash at its end. */
const spelled = (address: string | null): string | null =>
  address !== null && URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : address;

const numberOrNull = (value: string | null): number | null => (value === null ? null : Number(value));

const adminOf = (maybe: Maybe): Config['admin'] => {
  const [email, password] = [maybe('CHATLEDGER_ADMIN_EMAIL'), maybe('CHATLEDGER_ADMIN_PASSWORD')];
  return email !== null && password !== null ? { email: email.trim(), password } : null;
};

function mailOf(maybe: (name: SettingName) => string | null): Config['mail'] {
  const [smtp_url, from] = [maybe('CHATLEDGER_SMTP_URL'), maybe('CHATLEDGER_MAIL_FROM')];
  return smtp_url !== null && from !== null ? { smtp_url, from } : null;
}
