// The accounts to pull from: the configured ones, or the embedded service as an account like any other.
import { addDays, dayOf } from '#etl/days.ts';
import { basic, bearer, type SourceAccount } from '#etl/source.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import type { AccountConfig } from './configured-accounts.ts';
import { Stopped } from './errors.ts';
import type { Folder } from './folder.ts';
import { originOf } from './account-origin.ts';
import { ownerToken } from './owner-token.ts';

const default_history_days = 90;

export const serviceKeyOf = (config: Config, folder: Folder): string =>
  config.service.api_key ?? folder.state.service_api_key;

export const isEmbedded = (config: Config): boolean => config.accounts.some(({ remote }) => remote === null);

interface Source extends SourceAccount {
  simulated: boolean;
}

/** What questions know of each account. */
export const warehouseAccounts = (config: Config, folder: Folder): WarehouseAccount[] =>
  sourcesOf(config, folder, clock()).map(({ id, timezone, since, simulated }) => ({ id, timezone, since, simulated }));

/**
 * The configured sources. The first day to pull is fixed at the first call: the setting, else `firstDay` (where the embedded account
 * begins), else 90 days before now. `now` in Unix seconds.
 */
export const sourcesOf = (config: Config, folder: Folder, now: number, firstDay?: string): Source[] =>
  config.accounts.map((account) => ({
    id: account.id,
    timezone: account.timezone,
    since: sinceOf(account, config, folder, now, firstDay),
    archive_source: account.archive_source,
    settling_days: config.settling_days ?? undefined,
    simulated: originOf(account, folder) === 'simulated',
    ...agentAuthorization(account, config, folder, now),
    ...(account.remote ?? {
      base_url: `http://127.0.0.1:${config.service.port}`,
      authorization: basic(config.service.login, serviceKeyOf(config, folder)),
      region: 'dal',
      requests_per_second: null,
    }),
  }));

/** The Agent Chat API takes a Bearer token: the configured one, or one of the embedded account's owner. */
function agentAuthorization(
  { archive_source, remote }: AccountConfig,
  config: Config,
  folder: Folder,
  now: number,
): Pick<SourceAccount, 'agent_authorization'> {
  if (archive_source === 'rest_v2') return {};
  if (remote) return { agent_authorization: remote.authorization };
  const token = ownerToken(config, folder, now);
  return token ? { agent_authorization: bearer(token) } : {};
}

function sinceOf(
  { id, since: set, remote, timezone }: AccountConfig,
  config: Config,
  folder: Folder,
  now: number,
  firstDay: string | undefined,
): string {
  if (set !== null) return set;
  const kept = Object.hasOwn(folder.state.since, id) ? folder.state.since[id] : undefined;
  if (kept !== undefined) return kept;
  const days = remote ? default_history_days : config.service.days - 1;
  const since = firstDay ?? addDays(dayOf(now, timezone), -days);
  // Of several processes that begin with the account, the first one decides.
  folder.keep((stored) => ({ since: { [id]: since, ...stored.since } }));
  return folder.state.since[id] ?? since;
}

/** The named ones, or all. @throws Stopped for a name that is no account. */
export function chosenSources(
  sources: readonly SourceAccount[],
  account: string | undefined,
): readonly SourceAccount[] {
  if (account === undefined) return sources;
  const chosen = sources.filter(({ id }) => id === account);
  if (chosen.length > 0) return chosen;
  throw new Stopped(`--account ${account} is no account; choose from ${sources.map(({ id }) => id).join(', ')}`);
}
