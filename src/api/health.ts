// Whether the program is up, and how far the first pull is. Needs no login.
import type { Hono } from 'hono';
import { getHealth, type Health } from './contract/health.ts';
import type { ApiDeps } from './deps.ts';

export function addHealth(app: Hono, deps: ApiDeps): void {
  app.get(getHealth.path, (c) => {
    const snapshot = deps.published();
    const { last_success_at, running, stage, done, total, pulled_since } = deps.pull();
    const reached = deps.pulls().running.map(({ account, pulled_since }) => [account, pulled_since] as const);
    const accounts = deps.accounts().length > 1 ? { accounts: Object.fromEntries(reached) } : {};
    const pull = { last_success_at, running, stage, done, total, pulled_since, ...accounts };
    c.header('cache-control', 'no-store');
    if (!snapshot) return c.json<Health>({ status: 'starting', snapshot: null, pull }, 503);
    return c.json<Health>({ status: 'ok', snapshot, pull });
  });
}
