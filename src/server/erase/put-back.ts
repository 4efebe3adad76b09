// Detects an older copy of the data files next to a newer app.sqlite: it contains again what was erased for good.
import { existsSync } from 'node:fs';
import { dot, erasedName } from '#etl/erased/dots.ts';
import { pseudonymPrefix, type Tombstones } from '#etl/erased/erased.ts';
import type { Marks, Retained } from '#etl/erased/old.ts';
import type { Queryable } from '#warehouse/engine.ts';
import { hasNamesBefore, hasTextsBefore, visitorsIn } from '#warehouse/erase/put-back.ts';
import type { ErasedId } from '#warehouse/erase/selection.ts';
import { marksIn } from '../erased/marks.ts';
import { tombstonesIn } from '../erased/tombstones.ts';
import type { Folder } from '../folder.ts';
import { dataFiles, reading } from './files.ts';
import { accountsKnown, within } from './archives.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';

interface PutBack {
  /** Visitors who were erased. */
  visitors: ErasedId[];
  /** Kinds of content of expired chats. */
  kept: Retained[];
}

/** Visitors of a file who were erased. */
async function erasedOf(engine: Queryable, tombstones: Tombstones): Promise<ErasedId[]> {
  if (tombstones.isEmpty) return [];
  const all = await visitorsIn(engine);
  return all.filter(
    ({ account, id }) =>
      !id.startsWith(pseudonymPrefix) && tombstones.pseudonymOf('visitor', account, id) !== undefined,
  );
}

/** `engine`: a snapshot, or the warehouse. Errors: Stopped when app.sqlite cannot be read. */
export async function putBackIn({ path }: Pick<Folder, 'path'>, engine: Queryable): Promise<PutBack> {
  if (!existsSync(appStateFile(path))) return { visitors: [], kept: [] };
  const state = openAppState(path);
  try {
    const { tombstones, marks } = withAppState(path, () => ({
      tombstones: tombstonesIn(state),
      marks: marksIn(state).marks() satisfies Marks,
    }));
    const [texts, names] = [
      marks.texts !== undefined && (await hasTextsBefore(engine, marks.texts, dot)),
      marks.names !== undefined && (await hasNamesBefore(engine, marks.names, erasedName)),
    ];
    return {
      visitors: await erasedOf(engine, tombstones),
      kept: [...(texts ? ['texts' as const] : []), ...(names ? ['names' as const] : [])],
    };
  } finally {
    state.close();
  }
}

/** Whoever was erased and is in any of the data files, in one account or in all. Errors: Stopped for an unknown account. */
export const erasedAndBack = (
  folder: Folder,
  configured: readonly string[],
  account: string | undefined,
): Promise<ErasedId[]> =>
  within(folder, async (state, raw) => {
    await accountsKnown(configured, raw, account);
    const tombstones = withAppState(folder.path, () => tombstonesIn(state));
    const found = new Map<string, ErasedId>();
    for (const file of await dataFiles(folder))
      await reading(folder, file, async (engine) => {
        for (const one of await erasedOf(engine, tombstones)) found.set(JSON.stringify([one.account, one.id]), one);
      });
    return [...found.values()].filter((one) => account === undefined || one.account === account);
  });

/** Undefined if nothing was restored. */
export function putBackSentence({ visitors, kept }: PutBack): string | undefined {
  const found = [
    ...(visitors.length > 0 ? [`${visitors.length} visitors who were erased ('npx chatledger erase --again')`] : []),
    ...(kept.length > 0
      ? [`${kept.join(' and ')} that were too old to be kept ('npx chatledger retain --again')`]
      : []),
  ];
  return found.length === 0
    ? undefined
    : `older data files were put back beside app.sqlite, and are shown as they were: in them are ${found.join(' and ')}`;
}
