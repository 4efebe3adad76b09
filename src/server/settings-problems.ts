// Problems with the settings: invalid values, unknown settings, and combinations that do not fit together.
import { databasePasswordsIn } from '#warehouse/engines/database.ts';
import { accounts_file, type AccountsFile } from './accounts-file.ts';
import type { Environment, SettingReading } from './config.ts';
import { shown } from './secrets.ts';
import { isLoopback } from './setting-values.ts';
import { publicPortOf } from './public-port.ts';
import { settingNames, type Maybe, type SettingName } from './settings.ts';

const valueOf = (readings: readonly SettingReading[], name: SettingName): string | null =>
  readings.find((item) => item.name === name)?.value ?? null;

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
    ...databaseComplaints(readings),
    ...accountsComplaints(readings, file),
    ...publicComplaints(readings),
    ...doorComplaints(readings),
  ];
}

/** Settings of the identity provider that are of no use without each other. */
function signOnComplaints(readings: readonly SettingReading[]): string[] {
  const of = (name: SettingName): string | null => valueOf(readings, name);
  const isOn = of('CHATLEDGER_OIDC_ISSUER') !== null && of('CHATLEDGER_OIDC_CLIENT_ID') !== null;
  const hasValues = (of('CHATLEDGER_OIDC_NEW_USERS') ?? '')
    .split(',')
    .some((entry) => entry.trim() !== '' && !entry.trim().startsWith('@'));
  const isSafe = (issuer: string): boolean =>
    !URL.canParse(issuer) ||
    new URL(issuer).protocol === 'https:' ||
    isLoopback(new URL(issuer).hostname.replace(/^\[|\]$/g, ''));
  const pairs = [
    ['CHATLEDGER_OIDC_ISSUER', 'CHATLEDGER_OIDC_CLIENT_ID'],
    ['CHATLEDGER_OIDC_ROLE_CLAIM', 'CHATLEDGER_OIDC_ROLES'],
    ['CHATLEDGER_OIDC_GROUP_CLAIM', 'CHATLEDGER_OIDC_GROUPS'],
  ] as const;
  return [
    ...pairs
      .filter(([one, other]) => (of(one) === null) !== (of(other) === null))
      .map(([one, other]) => `${one} and ${other} go together: set both or none`),
    ...(isOn && !isSafe(of('CHATLEDGER_OIDC_ISSUER') ?? '')
      ? ['CHATLEDGER_OIDC_ISSUER must begin with https://, but for a provider on this machine']
      : []),
    ...(hasValues && of('CHATLEDGER_OIDC_ROLE_CLAIM') === null && of('CHATLEDGER_OIDC_GROUP_CLAIM') === null
      ? [
          'CHATLEDGER_OIDC_NEW_USERS names values of claims, and no claim is named: set CHATLEDGER_OIDC_ROLE_CLAIM or _GROUP_CLAIM',
        ]
      : []),
    ...(!isOn && of('CHATLEDGER_PASSWORD_LOGIN') === 'off'
      ? ['CHATLEDGER_PASSWORD_LOGIN=off leaves no way to sign in: set CHATLEDGER_OIDC_ISSUER too']
      : []),
    ...(/(^| )openid( |$)/.test(of('CHATLEDGER_OIDC_SCOPES') ?? '') ? [] : ['CHATLEDGER_OIDC_SCOPES must name openid']),
  ];
}

/** Settings that are of no use without each other. */
function doorComplaints(readings: readonly SettingReading[]): string[] {
  const has = (name: SettingName): boolean => valueOf(readings, name) !== null;
  const [email, password] = [has('CHATLEDGER_ADMIN_EMAIL'), has('CHATLEDGER_ADMIN_PASSWORD')];
  const proxies = has('CHATLEDGER_TRUSTED_PROXIES');
  const metrics_host = valueOf(readings, 'CHATLEDGER_METRICS_HOST') ?? '';
  return [
    ...(isLoopback(metrics_host) || has('CHATLEDGER_METRICS_PASSWORD')
      ? []
      : [
          `CHATLEDGER_METRICS_HOST=${shown('CHATLEDGER_METRICS_HOST', metrics_host)} needs CHATLEDGER_METRICS_PASSWORD: whoever reaches that address could read it`,
        ]),
    ...signOnComplaints(readings),
    ...(email === password
      ? []
      : ['CHATLEDGER_ADMIN_EMAIL and CHATLEDGER_ADMIN_PASSWORD go together: set both or none']),
    ...(has('CHATLEDGER_EMBED_ORIGINS') && valueOf(readings, 'CHATLEDGER_SHARING') !== 'on'
      ? ['CHATLEDGER_EMBED_ORIGINS is about shared pages, and there are none: set CHATLEDGER_SHARING=on too']
      : []),
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

function mailComplaints(readings: readonly SettingReading[]): string[] {
  const names = ['CHATLEDGER_SMTP_URL', 'CHATLEDGER_MAIL_FROM'] as const;
  const missing = names.filter((name) => valueOf(readings, name) === null);
  return missing.length === 1 ? [`${names.join(' and ')} belong together: set ${missing.join('')} too`] : [];
}

/** A password that is of no use, or stands in two places. */
function databaseComplaints(readings: readonly SettingReading[]): string[] {
  const address = valueOf(readings, 'CHATLEDGER_WAREHOUSE');
  if (valueOf(readings, 'CHATLEDGER_WAREHOUSE_PASSWORD') === null) return [];
  if (address === null)
    return ['CHATLEDGER_WAREHOUSE_PASSWORD is of no use without CHATLEDGER_WAREHOUSE: set both or none'];
  return databasePasswordsIn(address).length > 0
    ? ['CHATLEDGER_WAREHOUSE has a password too: keep it or CHATLEDGER_WAREHOUSE_PASSWORD']
    : [];
}

/** What a folder that reads the accounts of others has no use for, or lacks. */
function accountsComplaints(readings: readonly SettingReading[], { accounts }: AccountsFile): string[] {
  if (valueOf(readings, 'CHATLEDGER_WAREHOUSE_ACCOUNTS') !== 'all') return [];
  const address = valueOf(readings, 'CHATLEDGER_WAREHOUSE');
  const pulled = [
    ...(accounts.length > 0 ? [accounts_file] : []),
    ...(valueOf(readings, 'CHATLEDGER_BASE_URL') === null ? [] : ['CHATLEDGER_BASE_URL']),
    ...(valueOf(readings, 'CHATLEDGER_BUSINESS_HOURS') === null ? [] : ['CHATLEDGER_BUSINESS_HOURS']),
  ];
  return [
    ...(address === null
      ? ['CHATLEDGER_WAREHOUSE_ACCOUNTS=all is of no use without CHATLEDGER_WAREHOUSE: set both or none']
      : []),
    ...pulled.map(
      (name) =>
        `${name} is for a data folder that pulls, and with CHATLEDGER_WAREHOUSE_ACCOUNTS=all this one reads what others publish: keep one of them`,
    ),
  ];
}

function credentialComplaints(readings: readonly SettingReading[], { accounts }: AccountsFile): string[] {
  const has = (name: SettingName): boolean => valueOf(readings, name) !== null;
  if (!has('CHATLEDGER_BASE_URL')) {
    const isMissing =
      accounts.length === 0 &&
      valueOf(readings, 'CHATLEDGER_EMBEDDED_SERVICE') === 'off' &&
      valueOf(readings, 'CHATLEDGER_WAREHOUSE_ACCOUNTS') !== 'all';
    return isMissing
      ? [
          'CHATLEDGER_EMBEDDED_SERVICE=off leaves no account: set CHATLEDGER_BASE_URL and its credentials, or set it to on for a simulated one',
        ]
      : [];
  }
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
