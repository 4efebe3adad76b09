// What has been removed from a data folder for good (people and expired content): writers filter it out of new data.
import { existsSync } from 'node:fs';
import { erasedBy, nobodyErased, together, type ErasureFilter } from '#etl/erased/erased.ts';
import { oldBy, type Marks } from '#etl/erased/old.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';
import { marksIn } from './marks.ts';
import { tombstonesIn } from './tombstones.ts';

/** The current state: nobody erases while somebody else writes. Errors: Stopped if the file cannot be read. */
export function erasedIn({ path }: Pick<Folder, 'path'>): ErasureFilter {
  if (!existsSync(appStateFile(path))) return nobodyErased;
  const state = openAppState(path);
  try {
    return withAppState(path, () => together(erasedBy(tombstonesIn(state)), oldBy(marksIn(state).marks())));
  } finally {
    state.close();
  }
}

/** The days before which texts and names have been removed. Errors: as above. */
export function marksOf({ path }: Pick<Folder, 'path'>): Marks {
  if (!existsSync(appStateFile(path))) return {};
  const state = openAppState(path);
  try {
    return withAppState(path, () => marksIn(state).marks());
  } finally {
    state.close();
  }
}
