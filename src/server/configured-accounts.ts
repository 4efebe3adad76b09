// The accounts to pull: those of `chatledger.json`, else the one of the settings, else the embedded service.
import { basic, bearer, type ArchiveChoice } from '#etl/source.ts';
import type { WrittenAccount } from './accounts-file.ts';
import type { Maybe } from './settings.ts';

/** Where to reach a configured account. */
interface Remote {
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
  /** Null for the embedded service. */
  remote: Remote | null;
}

/** `accounts`: of the file; `secret`: the value of a variable that one of them names. */
interface AccountsWritten {
  accounts: readonly WrittenAccount[];
  secret: (name: string) => string;
}

/** Its name where no file names accounts. */
export const default_account = 'default';

export function accountsOf(file: AccountsWritten, maybe: Maybe): readonly [AccountConfig, ...AccountConfig[]] {
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

/** Fields missing in the file take the values of the settings. */
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
