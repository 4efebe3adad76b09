// Headers that announce the end of an interface: `Legacy`, or `Deprecation` once it is deprecated, with the date.
import { archive } from '#contract/archive.ts';

/** Dates (YYYY-MM-DD) on which a stage ends; without one its header is not sent. */
export interface Lifecycle {
  /** The version 2.0 of the REST and Reports APIs, and 3.3 of the Customer Chat API. */
  legacy?: string;
  /** The archive of version 2.0, which is deprecated as well. */
  deprecation?: string;
}

/** A response carries one of the two at most. */
export function lifecycleOf(path: string, { legacy, deprecation }: Lifecycle): [name: string, date: string][] {
  const is_customers = /^\/(v3\.3\/)?customer\/action\//.test(path);
  if ((/^\/v3/.test(path) && !is_customers) || path.startsWith('/agent/')) return [];
  const is_archive = path === archive.path || path.startsWith(`${archive.path}/`);
  if (is_archive && deprecation) return [['Deprecation', deprecation]];
  return legacy ? [['Legacy', legacy]] : [];
}
