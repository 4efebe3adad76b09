// The address of a dashboard with its filters.
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';

/** `path` is the dashboard's own (empty for the overview), `query` begins with a question mark or is empty. */
export function pageAddress(path: string, query = ''): ResolvedPathname {
  return (resolve('/[[dashboard]]', { dashboard: path || undefined }) + query) as ResolvedPathname;
}
