// What takes the disk of the data folder, and when it is full.
import type { Hono } from 'hono';
import { assertSeesAll, readerOf } from './context.ts';
import { getDisk, type Disk } from './contract/disk.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';

export function addDisk(app: Hono, deps: ApiDeps): void {
  app.get(getDisk.path, async (c) => {
    assertSeesAll(readerOf(c), 'the disk, which holds everything');
    if (!deps.disk) throw new Declined('unavailable', 'this server does not look at its disk');
    c.header('cache-control', 'no-store');
    return c.json<Disk>(await deps.disk());
  });
}
