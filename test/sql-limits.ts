// What statements may take, for tests: the standard limits of each role, some of them others.
import type { SqlLimits } from '#api/contract/sql.ts';
import type { Role } from '#auth/rights.ts';
import { sqlLimitsFor } from '#server/sql-limit-settings.ts';

export const limitsWith =
  (differs: Partial<SqlLimits> = {}) =>
  (role: Role): SqlLimits => ({ ...sqlLimitsFor(role), ...differs });
