// When a pull makes a snapshot.
import { newest } from '#warehouse/store/snapshot-store.ts';
import { isUnpublished } from '#warehouse/store/swap.ts';
import type { Folder } from './folder.ts';
import { isWell } from './snapshots.ts';

/** Without news a snapshot is made only if the newest is old: only the ledger has changed, and nobody waits for it. */
const longest_without_ms = 3_600_000;

/** `now` in milliseconds. Without news there is none to make as long as the newest is whole and recent. */
export async function isPublicationDue(
  { published, warehouse }: Pick<Folder, 'published' | 'warehouse'>,
  has_news: boolean,
  now: number,
): Promise<boolean> {
  if (has_news || isUnpublished(warehouse)) return true;
  const last = await newest(published);
  // One of a clock that ran ahead is as old as any.
  const isRecent = last !== null && Math.abs(now - Date.parse(last.published_at)) < longest_without_ms;
  return !isRecent || !(await isWell(published, last));
}
