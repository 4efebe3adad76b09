// Rewrites a warehouse file without the erased content: rows are copied and changed on the way, so that the new file contains nothing of
// the old content.
import type { Store } from '../engine.ts';
import { open } from '../engines/default.ts';
import { writerLimits, openWarehouse } from '../store/open.ts';
import { tablesIn, type ListedTable } from '../store/packed/pack.ts';
import { describe } from '../store/packed/unpack.ts';
import { remove } from '../store/swap.ts';
import { forgetCounts } from '../store/touched.ts';
import { changesOf, selected, type Rewriting } from './rewriting.ts';

/** `from` is closed, or nobody writes it; `to` must not exist. Errors: those of openWarehouse. */
export async function rewriteFile(from: string, to: string, rewriting: Rewriting): Promise<void> {
  const old = await openWarehouse(from, { readOnly: true, ...writerLimits });
  const [description, listed] = await Promise.all([old.description(), tablesIn(old)]).finally(() => old.close());
  await remove(to);
  const engine = await open(to, writerLimits);
  try {
    await describe(engine, description);
    const copy = (name: string, changed: string): Promise<void> => copyTables(engine, listed, rewriting, name, changed);
    const { changed } = rewriting;
    await engine.withRoom(() =>
      engine.beside(from, (name) =>
        changed === null ? copy(name, '') : engine.beside(changed, (beside) => copy(name, beside)),
      ),
    );
    await engine.exec(forgetCounts);
    await engine.checkpoint();
  } finally {
    await engine.close();
  }
}

async function copyTables(
  engine: Store,
  listed: readonly ListedTable[],
  rewriting: Rewriting,
  name: string,
  changed: string,
): Promise<void> {
  for (const table of listed) {
    const columns = table.columns.map((column) => column.name);
    const changes = changesOf({ ...table, columns }, rewriting, engine.dialect, changed);
    await engine.exec(`insert into ${table.from} select ${selected(columns, changes)} from ${name}.${table.from}`);
  }
}
