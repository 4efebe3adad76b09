// Every setting: its variable, default and meaning. config.ts reads it, doctor prints it, docs/settings.md is generated from it.
import { wrongGroups, wrongRoles } from './oidc-settings.ts';
import { wrongHours } from './business-hours-file.ts';
import { wrongPatterns, wrongRuleNames } from './redaction-settings.ts';
import { wrongDatabaseAddress } from '#warehouse/engines/database.ts';
import { changeableSettings } from './changeable-settings.ts';
import { serviceSettings } from './service-settings.ts';
import {
  wholeNumber,
  address,
  zone,
  date,
  size,
  hosts,
  emailAddress,
  proxies,
  onOrOff,
  origins,
  archiveSource,
  agentFigures,
  folderPath,
  passphrase,
} from './setting-values.ts';

export interface SettingDefinition {
  default: string | null;
  meaning: string;
  is_secret?: boolean;
  /** An address, which may contain a user and password although they do not belong there. */
  is_address?: boolean;
  /** Admins may change it on the page Settings while the program runs: when the new value counts. */
  takes_effect?: string;
  /** A sentence about the problem with a value, or undefined. */
  wrong?: (value: string) => string | undefined;
}

/** A hundred years. */
const most_months = 1200;

export const settings = {
  CHATLEDGER_DATA: { default: './data', meaning: 'everything the product writes' },
  CHATLEDGER_HOST: {
    default: '127.0.0.1',
    meaning:
      'where dashboards and API listen; another address than loopback is for CHATLEDGER_TRUSTED_PROXIES alone, and a first admin is ' +
      'generated and printed once where there is no user',
  },
  CHATLEDGER_PORT: { default: '3000', meaning: 'port of dashboards and API', wrong: wholeNumber(0, 65_535) },
  CHATLEDGER_BASE_URL: {
    default: null,
    meaning: "the account's API; without it the embedded service runs with its simulated account",
    is_address: true,
    wrong: address,
  },
  CHATLEDGER_LOGIN: { default: null, meaning: 'Basic: agent login, or e-mail with a personal access token' },
  CHATLEDGER_API_KEY: { default: null, meaning: 'Basic: API key, or personal access token', is_secret: true },
  CHATLEDGER_TOKEN: { default: null, meaning: 'Bearer token instead (dal:… or fra:…)', is_secret: true },
  CHATLEDGER_REGION: {
    default: null,
    meaning: 'sent as X-Region; by default the one the token names, else dal',
    wrong: (value) => (value === 'dal' || value === 'fra' ? undefined : 'must be dal or fra'),
  },
  CHATLEDGER_TIMEZONE: {
    default: 'UTC',
    meaning: "zone in which reports are pulled and shown by default; also the embedded account's own zone",
    wrong: zone,
  },
  CHATLEDGER_SINCE: {
    default: null,
    meaning: 'first day to pull; by default 90 days before the first start, then fixed',
    wrong: date,
  },
  CHATLEDGER_ARCHIVE_SOURCE: {
    default: 'rest_v2',
    meaning:
      'which archive feeds the chats: rest_v2 (GET /chats), agent_v3 (list_archives; needs a token, and knows no goals and sales), or both: rest_v2 feeds, and `compare-sources` lists what agent_v3 says otherwise',
    wrong: archiveSource,
  },
  CHATLEDGER_QUERY_MEMORY: {
    default: null,
    meaning:
      'what questions about the newest snapshot may take together in memory; as much again may be spilled to disk, more is refused; by default 1GB of each, but in memory no more than a quarter of what the machine or container has',
    wrong: size,
  },
  CHATLEDGER_BACKUP: {
    default: null,
    meaning:
      'a folder outside of the data folder, best on another disk, to which `start` backs up everything that the data folder holds; settings are not in it',
    wrong: folderPath,
  },
  CHATLEDGER_BACKUP_KEY: {
    default: null,
    meaning:
      'a passphrase of at least 12 characters with which backups are encrypted (AES-256-GCM); keep it elsewhere too, without it nobody restores them',
    is_secret: true,
    wrong: passphrase,
  },
  CHATLEDGER_METRICS_PORT: {
    default: null,
    meaning: 'port of GET /metrics for Prometheus, which is opened only then',
    wrong: wholeNumber(0, 65_535),
  },
  CHATLEDGER_METRICS_HOST: {
    default: '127.0.0.1',
    meaning: 'where that port listens; another address than loopback needs CHATLEDGER_METRICS_PASSWORD',
  },
  CHATLEDGER_METRICS_PASSWORD: {
    default: null,
    meaning: 'what Prometheus sends as the password of basic_auth',
    is_secret: true,
    wrong: passphrase,
  },
  CHATLEDGER_LOG: {
    default: 'text',
    meaning:
      'json: what is said to the operator is one record of JSON a line on standard error, with a record of each answered request, and without e-mail addresses; text: lines to read, without those records',
    wrong: (value) => (value === 'text' || value === 'json' ? undefined : 'must be text or json'),
  },
  CHATLEDGER_SETTINGS_PAGE: {
    default: 'on',
    meaning:
      'off: nobody changes settings or the logo on the page Settings, which shows them all the same; what was saved there before still counts',
    wrong: onOrOff,
  },
  CHATLEDGER_API_TOKEN: { default: null, meaning: 'a preset token with admin rights, for automation', is_secret: true },
  CHATLEDGER_MCP_TOKEN: {
    default: null,
    meaning: 'the token with which `chatledger mcp` asks a running product (`chatledger token add`)',
    is_secret: true,
  },
  CHATLEDGER_PUBLIC_URL: {
    default: null,
    meaning: 'where others reach the links in mails (large files, unsubscribe), which CHATLEDGER_PUBLIC_PORT opens',
    is_address: true,
    wrong: address,
  },
  CHATLEDGER_TRUSTED_PROXIES: {
    default: null,
    meaning:
      'proxies that may forward to dashboards and API under CHATLEDGER_PUBLIC_URL, once there are users: addresses or ranges with commas',
    wrong: proxies,
  },
  CHATLEDGER_AGENT_FIGURES: {
    default: 'all',
    meaning:
      'of which agents figures are shown by name: all; from:20, from 20 chats on and never ranked; none, of nobody and no conversations. Agents see their own in any case',
    wrong: agentFigures,
  },
  CHATLEDGER_REDACT: {
    default: null,
    meaning:
      'what becomes dots in texts when chats are decoded: some of cards, emails, ibans, with commas; by default nothing. `redact --dry` tries rules on the raw archive, `rebuild` applies changed ones to all chats',
    wrong: wrongRuleNames,
  },
  CHATLEDGER_REDACT_FILE: {
    default: null,
    meaning:
      'a text file of own patterns for the same, one a line: a name, a colon, an expression in the syntax of RE2 (no lookaround, no backreferences); lines with # are comments',
    wrong: wrongPatterns,
  },
  CHATLEDGER_BUSINESS_HOURS: {
    default: null,
    meaning:
      'a JSON file that gives the business hours of accounts; it alone counts then, and the page Business hours shows what it says. By default they are set on that page',
    wrong: wrongHours,
  },
  CHATLEDGER_KEEP_TEXTS: {
    default: null,
    meaning:
      'for how many whole months after the month of a chat (UTC) what people wrote in it is kept; then it becomes dots everywhere, month by month. By default for ever; a longer time brings nothing back',
    wrong: wholeNumber(1, most_months),
  },
  CHATLEDGER_KEEP_NAMES: {
    default: null,
    meaning:
      'the same for who visitors are: names, addresses, places, pages, answers in forms, custom variables; ids stay, so that no number changes',
    wrong: wholeNumber(1, most_months),
  },
  CHATLEDGER_KEEP_AUDIT: {
    default: null,
    meaning:
      'for how many whole months after its month (UTC) a row of the audit is kept; what stays is still a whole chain. By default for ever',
    wrong: wholeNumber(1, most_months),
  },
  CHATLEDGER_ADMIN_EMAIL: {
    default: null,
    meaning: 'the first admin, made at the start while there is no user',
    wrong: emailAddress,
  },
  CHATLEDGER_ADMIN_PASSWORD: { default: null, meaning: 'the password of that admin', is_secret: true },
  CHATLEDGER_PASSWORD_LOGIN: {
    default: 'on',
    meaning: 'off: nobody signs in with a password; `chatledger user password` lets a user in once, within an hour',
    wrong: onOrOff,
  },
  CHATLEDGER_SECOND_FACTOR: {
    default: 'optional',
    meaning: 'required: who signs in with a password turns a second factor on before anything else',
    wrong: (value) => (value === 'optional' || value === 'required' ? undefined : 'must be optional or required'),
  },
  CHATLEDGER_OIDC_ISSUER: {
    default: null,
    meaning: 'identity provider for single sign-on (OpenID Connect); it sends browsers back to /api/sign-on/callback',
    is_address: true,
    wrong: address,
  },
  CHATLEDGER_OIDC_CLIENT_ID: { default: null, meaning: 'by which the provider knows this program' },
  CHATLEDGER_OIDC_CLIENT_SECRET: { default: null, meaning: 'for a client that has one', is_secret: true },
  CHATLEDGER_OIDC_NAME: { default: 'single sign-on', meaning: 'what the button says: Sign in with …' },
  CHATLEDGER_OIDC_SCOPES: { default: 'openid email profile', meaning: 'what the provider is asked for' },
  CHATLEDGER_OIDC_ROLE_CLAIM: {
    default: null,
    meaning: 'path of the claim from which roles follow, like groups or realm_access.roles',
  },
  CHATLEDGER_OIDC_ROLES: {
    default: null,
    meaning:
      'its values and their roles, like chat-admins=admin, leads=manager (with ; between them where a value has commas); the first that matches, else viewer',
    wrong: wrongRoles,
  },
  CHATLEDGER_OIDC_GROUP_CLAIM: { default: null, meaning: 'path of the claim from which groups follow' },
  CHATLEDGER_OIDC_GROUPS: {
    default: null,
    meaning: 'its values and the ids of groups they show, like sales=2, support=3+4; who has none is refused',
    wrong: wrongGroups,
  },
  CHATLEDGER_OIDC_AGENT_CLAIM: { default: 'email', meaning: 'path of the claim that holds the login of an agent' },
  CHATLEDGER_OIDC_NEW_USERS: {
    default: null,
    meaning:
      'who becomes a user at the first sign-in: domains of verified addresses, and values of those claims, like @example.com, chat-team; by default nobody, users link the provider on their profile',
  },
  CHATLEDGER_OIDC_SYNC: {
    default: 'off',
    meaning: 'on: role and groups follow the claims at each sign-in, and not at the first alone',
    wrong: onOrOff,
  },
  CHATLEDGER_SHARING: {
    default: 'off',
    meaning:
      'on: users may make links that open a page without signing in, with its filters frozen; off again, none of them opens',
    wrong: onOrOff,
  },
  CHATLEDGER_EMBED_ORIGINS: {
    default: null,
    meaning: 'origins whose pages may embed shared pages, with commas: https://intranet.example; by default none',
    wrong: origins,
  },
  CHATLEDGER_PUBLIC_PORT: {
    default: null,
    meaning:
      'port of the links in mails, opened when CHATLEDGER_PUBLIC_URL is set; by default the one after CHATLEDGER_PORT',
    wrong: wholeNumber(1, 65_535),
  },
  CHATLEDGER_WEBHOOK_HOSTS: {
    default: null,
    meaning:
      'hosts that webhooks and Slack-style channels of digests may reach although they are not on the public internet, with commas: hooks.internal, 10.0.0.7:8080',
    wrong: hosts,
  },
  CHATLEDGER_WAREHOUSE: {
    default: null,
    meaning:
      'a ClickHouse database that readers ask instead of the published file, clickhouse://user:password@host:8123/database, over TLS ' +
      'clickhouses://… or with ?secure=true; several hosts with commas, host1:8123,host2:8123, each of which has everything; ' +
      'each publication goes there too, and what the file alone can do is still asked of it (docs/cluster.md)',
    is_address: true,
    wrong: wrongDatabaseAddress,
  },
  CHATLEDGER_WAREHOUSE_PASSWORD: {
    default: null,
    meaning: 'the password of that database, where it does not stand in the address',
    is_secret: true,
  },
  CHATLEDGER_WAREHOUSE_ACCOUNTS: {
    default: 'own',
    meaning:
      'whose accounts readers see: `own`, those of this data folder; `all`, those that any data folder publishes to that database, ' +
      'each as it was published last: this folder then pulls nothing itself (docs/cluster.md)',
    wrong: (value) => (value === 'own' || value === 'all' ? undefined : 'must be own or all'),
  },
  CHATLEDGER_WAREHOUSE_LEASE: {
    default: '60',
    meaning:
      'minutes for which an account in that database stays with the data folder that publishes it: each pull and publication renews them, `start` does so ' +
      'in between, and after them another folder may take it over',
    wrong: wholeNumber(1, 43_200),
  },
  ...changeableSettings,
  ...serviceSettings,
} as const satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** The value of a setting; null where it has none. */
export type Maybe = (name: SettingName) => string | null;
