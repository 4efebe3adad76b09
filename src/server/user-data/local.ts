// The stores of user data in the app's SQLite file, with this machine's clock and random ids.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { UserData } from '#api/user-data.ts';
import { clock } from '../clock.ts';
import { userDataIn } from './user-data.ts';

/** `hoursFile`: the file that defines business hours, if any. */
export const localUserData = (state: DatabaseSync, hoursFile: string | null = null): UserData =>
  userDataIn(state, { clock: () => clock() * 1000, id: randomUUID, hoursFile });
