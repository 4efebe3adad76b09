// How backups of the installation went.
import type { Hono } from 'hono';
import { assertSeesAll, readerOf } from './context.ts';
import { getBackups, type Backups } from './contract/backups.ts';
import type { ApiDeps } from './deps.ts';

const none: Backups = { schedule: null, last: null, failed: null, is_late: false };

export function addBackups(app: Hono, deps: ApiDeps): void {
  app.get(getBackups.path, (c) => {
    assertSeesAll(readerOf(c), 'backups, which hold everything');
    c.header('cache-control', 'no-store');
    return c.json<Backups>(deps.backups?.() ?? none);
  });
}
