// Who was erased in a data folder: what writers leave out of everything that comes.
import { existsSync } from 'node:fs';
import { erasedBy, nobodyErased, type Erased } from '#etl/erased/erased.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';
import { tombstonesIn } from './tombstones.ts';

/** As it is now: nobody erases while somebody else writes. Errors: Stopped when the file cannot be read. */
export function erasedIn({ path }: Pick<Folder, 'path'>): Erased {
  if (!existsSync(appStateFile(path))) return nobodyErased;
  const state = openAppState(path);
  try {
    return withAppState(path, () => erasedBy(tombstonesIn(state)));
  } finally {
    state.close();
  }
}
