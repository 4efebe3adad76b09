// The accounts to pull from, made of the settings: the configured one, or the embedded service as an account like any other.
import { addDays, dayOf } from '#etl/days.ts';
import { basic, type Source } from '#etl/source.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';

export const default_account = 'default';
const default_history_days = 90;

export const serviceKeyOf = (config: Config, folder: Folder): string =>
  config.service.api_key ?? folder.state.service_api_key;

/**
 * The source as it stands. The first day to pull is fixed at the first call: the setting, else `firstDay` (where the
 * embedded account begins), else 90 days before now. `now` in Unix seconds.
 */
export function sourceOf(config: Config, folder: Folder, now: number, firstDay?: string): Source {
  return {
    id: default_account,
    timezone: config.timezone,
    since: sinceOf(config, folder, now, firstDay),
    ...(config.remote ?? {
      base_url: `http://127.0.0.1:${config.service.port}`,
      authorization: basic(config.service.login, serviceKeyOf(config, folder)),
      region: 'dal',
      requests_per_second: null,
    }),
  };
}

function sinceOf(config: Config, folder: Folder, now: number, firstDay: string | undefined): string {
  if (config.since !== null) return config.since;
  const kept = folder.state.since[default_account];
  if (kept !== undefined) return kept;
  const days = config.remote ? default_history_days : config.service.days - 1;
  const since = firstDay ?? addDays(dayOf(now, config.timezone), -days);
  folder.keep({ since: { ...folder.state.since, [default_account]: since } });
  return since;
}
