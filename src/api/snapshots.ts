// The list of kept snapshots.
import type { Hono } from 'hono';
import { callerIn, seesAll } from './context.ts';
import { listSnapshots, type Snapshots } from './contract/pulls.ts';
import type { ApiDeps } from './deps.ts';

export function addSnapshots(app: Hono, deps: ApiDeps): void {
  app.get(listSnapshots.path, async (c) => {
    const current = deps.published()?.id;
    const kept = [...(await deps.snapshots.list())].reverse();
    const { rights, reader } = callerIn(c);
    // Digests are named there.
    const isOfDigests = rights.has('digests:write');
    // The size of a file reveals how much data is hidden from a reader.
    const isOfFiles = (rights.has('files') || rights.has('pulls:write')) && seesAll(reader);
    const snapshots = kept.map(({ id, published_at, bytes, pinned }) => ({
      ...{ id, published_at, bytes: isOfFiles ? bytes : null },
      ...{ pinned: isOfDigests ? pinned : null, is_current: id === current },
    }));
    c.header('cache-control', 'no-store');
    const spare = await deps.snapshots.spare();
    const bytes = isOfFiles && !deps.readsAll ? kept.reduce((sum, { bytes: own }) => sum + (own ?? 0), spare) : null;
    const lost = await deps.snapshots.lost();
    return c.json<Snapshots>({
      ...{ snapshots, bytes, space: deps.snapshots.space() },
      lost: lost && (isOfDigests ? lost : { ...lost, pinned: [] }),
    });
  });
}
