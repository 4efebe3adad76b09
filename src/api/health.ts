// Whether the program is up, and how far the first pull is. Needs no login.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { ApiDeps } from './deps.ts';

const Health = z
  .object({
    status: z.enum(['ok', 'starting']),
    snapshot: z.object({ id: z.string(), published_at: z.iso.datetime() }).nullable(),
    pull: z.object({
      last_success_at: z.string().nullable().openapi({ description: 'null until the whole range is published' }),
      running: z.boolean(),
      stage: z.string().nullable(),
      done: z.number(),
      total: z.number(),
      pulled_since: z.string().nullable(),
      accounts: z
        .record(z.string(), z.string().nullable())
        .optional()
        .openapi({ description: 'Where there are several: pulled_since of each that is being pulled' }),
    }),
  })
  .openapi('Health');

const content = { 'application/json': { schema: Health } };

const route = createRoute({
  method: 'get',
  path: '/health',
  summary: 'Whether there is something to show, and how far the pull is',
  security: [],
  responses: {
    200: { description: 'A snapshot is published', content },
    503: { description: 'No snapshot yet; the body says how far the first pull is', content },
  },
});

export function addHealth(app: OpenAPIHono, deps: ApiDeps): void {
  app.openapi(route, (c) => {
    const snapshot = deps.published();
    const { last_success_at, running, stage, done, total, pulled_since } = deps.pull();
    const reached = deps.pulls().running.map(({ account, pulled_since }) => [account, pulled_since] as const);
    const accounts = deps.accounts().length > 1 ? { accounts: Object.fromEntries(reached) } : {};
    const pull = { last_success_at, running, stage, done, total, pulled_since, ...accounts };
    c.header('cache-control', 'no-store');
    if (!snapshot) return c.json({ status: 'starting' as const, snapshot: null, pull }, 503);
    return c.json({ status: 'ok' as const, snapshot, pull }, 200);
  });
}
