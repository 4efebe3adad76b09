// Whether an open file has a table.
import type { Engine } from '../engine.ts';

export const hasTable = async (engine: Engine, schema: string, name: string): Promise<boolean> =>
  (await engine.columns()).has(`${schema}.${name}`);
