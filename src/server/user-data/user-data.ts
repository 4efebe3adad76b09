// Views, boards, saved queries, pins, annotations, business hours, declared variables, targets and goals for periods in the app's SQLite file.
import type { DatabaseSync } from 'node:sqlite';
import type { UserData } from '#api/user-data.ts';
import { annotationsIn } from './annotations.ts';
import { businessHoursIn } from './business-hours.ts';
import { boardsIn } from './boards.ts';
import { pinsIn } from './pins.ts';
import { savedQueriesIn } from './saved-queries.ts';
import { periodGoalsIn } from './period-goals.ts';
import { targetsIn } from './targets.ts';
import { variablesIn } from './variables.ts';
import { viewsIn } from './views.ts';

/** What the stores need besides the file: the time in milliseconds since 1970, and new ids. */
export interface UserDataMeans {
  clock(): number;
  id(): string;
  /** The file that defines business hours in place of users. */
  hoursFile?: string | null;
}

export const userDataIn = (database: DatabaseSync, means: UserDataMeans): UserData => ({
  views: viewsIn(database, means),
  boards: boardsIn(database, means),
  queries: savedQueriesIn(database, means),
  pins: pinsIn(database),
  annotations: annotationsIn(database, means),
  businessHours: businessHoursIn(database, means),
  variables: variablesIn(database, means),
  targets: targetsIn(database, means),
  periodGoals: periodGoalsIn(database, means),
});
