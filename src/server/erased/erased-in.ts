// What is gone from a data folder for good, people and what is too old: what writers leave out of everything that comes.
import { existsSync } from 'node:fs';
import { erasedBy, nobodyErased, together, type ErasureFilter } from '#etl/erased/erased.ts';
import { oldBy, type Marks } from '#etl/erased/old.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';
import { marksIn } from './marks.ts';
import { tombstonesIn } from './tombstones.ts';

/** As it is now: nobody erases while somebody else writes. Errors: Stopped when the file cannot be read. */
export function erasedIn({ path }: Pick<Folder, 'path'>): ErasureFilter {
  if (!existsSync(appStateFile(path))) return nobodyErased;
  const state = openAppState(path);
  try {
    return withAppState(path, () => together(erasedBy(tombstonesIn(state)), oldBy(marksIn(state).marks())));
  } finally {
    state.close();
  }
}

/** Before which days texts and names are gone. Errors: as above. */
export function marksOf({ path }: Pick<Folder, 'path'>): Marks {
  if (!existsSync(appStateFile(path))) return {};
  const state = openAppState(path);
  try {
    return withAppState(path, () => marksIn(state).marks());
  } finally {
    state.close();
  }
}
