// Whether the program is up, how far the first pull is, and whether requests may be sent here. Needs no login.
import type { Hono } from 'hono';
import { accountsOf } from './context.ts';
import { getHealth, getReadiness, type Health, type Readiness } from './contract/health.ts';
import type { ApiDeps } from './deps.ts';

export function addHealth(app: Hono, deps: ApiDeps): void {
  app.get(getHealth.path, (c) => {
    const snapshot = deps.published();
    const { last_success_at, running, stage, done, total, pulled_since } = deps.pull();
    const reached = deps.pulls().running.map(({ account }) => [account, deps.pulledSince?.(account) ?? null] as const);
    // Account names are shown only to callers who may query them.
    const caller = c.get('caller');
    const known = caller ? accountsOf(deps, caller.reader).map(({ id }) => id) : [];
    const theirs = reached.filter(([id]) => known.includes(id));
    const accounts = deps.accounts().length > 1 && caller ? { accounts: Object.fromEntries(theirs) } : {};
    const pull = { last_success_at, running, stage, done, total, pulled_since, ...accounts };
    c.header('cache-control', 'no-store');
    if (!snapshot) return c.json<Health>({ status: 'starting', snapshot: null, pull }, 503);
    return c.json<Health>({ status: 'ok', snapshot, pull });
  });
  app.get(getReadiness.path, (c) => {
    const reason = deps.unready?.() ?? (deps.published() ? null : 'no snapshot is published yet');
    c.header('cache-control', 'no-store');
    if (reason === null) return c.json<Readiness>({ ready: true, reason });
    c.header('retry-after', '5');
    return c.json<Readiness>({ ready: false, reason }, 503);
  });
}
