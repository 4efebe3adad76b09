// Saved queries of people who may run SQL: their own, and those that are shared.
import type { Context, Hono } from 'hono';
import { assertReadsFile, callerIn, readerOf } from './context.ts';
import {
  addSavedQuery,
  changeSavedQuery,
  getSavedQuery,
  listSavedQueries,
  removeSavedQuery,
  type SavedQuery,
  type SavedQueryEntry,
} from './contract/saved-queries.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { ChangedMeanwhile, NameTaken, TooMany, type StoredQuery } from './user-data.ts';
import { bodyOf } from './validation.ts';

/** Who may ask for the whole file. Errors: Declined. */
const assertMayAsk = (c: Context): void => assertReadsFile(readerOf(c), 'SQL');

/** What is shared may be tidied by whoever writes for everybody, and what its maker left behind by all who see it. */
function mayChange(c: Context, { owner, is_shared }: StoredQuery): boolean {
  if (owner === readerOf(c).id) return true;
  return is_shared && (owner === '' || callerIn(c).rights.has('annotations:write'));
}

/** Errors: Declined. */
function assertMayChange(c: Context, query: StoredQuery): void {
  if (!mayChange(c, query))
    throw new Declined('forbidden', 'this query is not yours: save a copy under a name of your own');
}

/** Turns refusals of the store into answers. Errors: Declined. */
function kept<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NameTaken)
      throw new Declined('conflict', `a query of yours is called “${name}” already: choose another name`);
    if (error instanceof TooMany) throw new Declined('conflict', error.message);
    if (error instanceof ChangedMeanwhile)
      throw new Declined(
        'conflict',
        'somebody has changed this query meanwhile: open it again and repeat your change, or save a copy',
      );
    throw error;
  }
}

export function addSavedQueries(app: Hono, deps: ApiDeps): void {
  const { queries } = deps.userData;
  const entryOf = (c: Context, query: StoredQuery): SavedQueryEntry => {
    const { id, owner, name, is_shared, version, changed_at } = query;
    const owner_name = deps.auth.users.find(owner)?.name ?? '';
    const whose = { owner_name, is_own: owner === readerOf(c).id, may_change: mayChange(c, query) };
    return { id, name, is_shared, ...whose, version, changed_at };
  };
  const shown = (c: Context, query: StoredQuery): SavedQuery => {
    const { statement, parameters, chart } = query;
    return { ...entryOf(c, query), statement, parameters, chart };
  };
  /** The same answer for a private query of somebody else as for a missing one. Errors: Declined. */
  const queryOf = (c: Context, id: string): StoredQuery => {
    const found = queries.find(id);
    if (found && (found.is_shared || found.owner === readerOf(c).id)) return found;
    throw new Declined('not_found', `there is no saved query ${id}`);
  };

  app.get(listSavedQueries.path, (c) => {
    assertMayAsk(c);
    c.header('cache-control', 'no-store');
    const all = queries.list(readerOf(c).id).map((query) => entryOf(c, query));
    return c.json<AnswerOf<typeof listSavedQueries>>({ queries: all });
  });

  app.get(routed(getSavedQuery), (c) => {
    assertMayAsk(c);
    c.header('cache-control', 'no-store');
    return c.json<SavedQuery>(shown(c, queryOf(c, c.req.param('id'))));
  });

  app.post(addSavedQuery.path, async (c) => {
    assertMayAsk(c);
    const asked = await bodyOf(c, addSavedQuery.body);
    return c.json<SavedQuery>(
      shown(
        c,
        kept(asked.name, () => queries.add(readerOf(c).id, asked)),
      ),
    );
  });

  app.put(routed(changeSavedQuery), async (c) => {
    assertMayAsk(c);
    const before = queryOf(c, c.req.param('id'));
    const { version, ...asked } = await bodyOf(c, changeSavedQuery.body);
    assertMayChange(c, before);
    if (!asked.is_shared && before.is_shared && before.owner !== readerOf(c).id)
      throw new Declined('forbidden', 'only whoever made this query can take it back from the others');
    const changed = kept(asked.name, () => queries.change(before.id, version, asked));
    if (!changed) throw new Declined('not_found', `there is no saved query ${before.id}`);
    return c.json<SavedQuery>(shown(c, changed));
  });

  app.delete(routed(removeSavedQuery), (c) => {
    assertMayAsk(c);
    const query = queryOf(c, c.req.param('id'));
    assertMayChange(c, query);
    queries.remove(query.id);
    return c.body(null, 204);
  });
}
