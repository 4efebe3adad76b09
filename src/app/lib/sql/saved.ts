// Reads and changes saved queries for the SQL page.
import type { SavedQuery, SavedQueryEntry } from '#api/contract/saved-queries.ts';
import { tried } from '#lib/auth/calls.ts';
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';
import { savedWords as words } from './saved-words.ts';

/** Where a saved query opens. */
export const queryAddress = (id: string): ResolvedPathname =>
  `${resolve('/sql')}?${new URLSearchParams({ query: id })}` as ResolvedPathname;

export const whoseOf = ({ is_own, is_shared, owner_name }: SavedQueryEntry): string =>
  is_own ? (is_shared ? words.ownShared : words.own) : words.by(owner_name);

type Content = Pick<SavedQuery, 'name' | 'statement' | 'parameters' | 'chart' | 'is_shared'>;

/** Updates a query; names the version that the change is based on. */
export const changeQuery = ({ id, version, ...rest }: Content & Pick<SavedQuery, 'id' | 'version'>) => {
  const { name, statement, parameters, chart, is_shared } = rest; // the API refuses what else a saved query has
  const body = { name, statement, parameters, chart, is_shared, version };
  return tried('PUT /sql/queries/{id}', { params: { id }, body });
};

export const addQuery = (content: Content) => tried('POST /sql/queries', { body: content });
