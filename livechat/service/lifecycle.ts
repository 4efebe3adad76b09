// Headers that announce the end of an interface: `Legacy`, or `Deprecation` once it is deprecated, with the date.
import { archive } from '#contract/archive.ts';

/** Dates (YYYY-MM-DD) on which a stage ends. */
export interface Lifecycle {
  /** The version 2.0 of the REST and Reports APIs, and 3.3 of the Customer Chat API. */
  legacy?: string;
  /** The archive of version 2.0, which is deprecated as well. */
  deprecation?: string;
}

/** Whether a path is one of the REST or the Reports API. */
const isOfVersion2 = (path: string): boolean =>
  /^\/(agents|canned_responses|chats|goals|greetings|groups|reports|status|tags)(\/|$)/.test(path);

/**
 * A response carries one of the two at most, and of the Customer Chat API always one: without a date the stage ends with the year to come.
 * `now` is Unix seconds.
 */
export function lifecycleOf(
  path: string,
  { legacy, deprecation }: Lifecycle,
  now: number,
): [name: string, date: string][] {
  if (/^\/(v3\.3\/)?customer\/action\//.test(path))
    return [['Legacy', legacy ?? `${new Date(now * 1000).getUTCFullYear() + 1}-12-31`]];
  if (!isOfVersion2(path)) return [];
  const is_archive = path === archive.path || path.startsWith(`${archive.path}/`);
  if (is_archive && deprecation) return [['Deprecation', deprecation]];
  return legacy ? [['Legacy', legacy]] : [];
}
