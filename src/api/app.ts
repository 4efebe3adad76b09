// The one door: everything that can be asked over HTTP, put together.
import { OpenAPIHono } from '@hono/zod-openapi';
import { addAccounts } from './accounts.ts';
import { Answers } from './answers.ts';
import { addDocs } from './docs.ts';
import type { Door } from './door.ts';
import { Declined, errorAnswer } from './errors.ts';
import { guardCaller, guardOrigin } from './guard.ts';
import { addHealth } from './health.ts';
import { addMetrics } from './metrics.ts';

/** Paths that tell nothing about anybody. */
const open = ['/api/health', '/api/openapi.json', '/api/docs'];

/** The API under `/api`. Add routes of other rooms before it serves the first request. */
export function createApi(door: Door): OpenAPIHono {
  const app = new OpenAPIHono().basePath('/api');
  const answers = new Answers();
  const log = door.log ?? ((error: unknown) => console.error(error));
  const caller = guardCaller(door);
  app.use('*', guardOrigin(door));
  app.use('*', (c, next) => (open.includes(c.req.path) ? next() : caller(c, next)));
  addHealth(app, door);
  addMetrics(app, door, answers);
  addAccounts(app, door, answers);
  addDocs(app, door);
  app.onError((error, c) => errorAnswer(c, error, log));
  app.notFound((c) => {
    const paths = [
      '/api/health',
      '/api/metrics',
      '/api/metrics/{id}',
      '/api/accounts',
      '/api/openapi.json',
      '/api/docs',
    ];
    return errorAnswer(c, new Declined('not_found', `there is no ${c.req.method} ${c.req.path}`, paths), log);
  });
  return app;
}
