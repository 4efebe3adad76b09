// The one door: everything that can be asked over HTTP, put together.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { addAccounts } from './accounts.ts';
import { addAnnotations } from './annotations.ts';
import { addChats } from './chats.ts';
import { Answers } from './answers.ts';
import { addDocs } from './docs.ts';
import { addDashboardPdf } from './dashboard-pdf.ts';
import { addDigests } from './digests.ts';
import { deadline } from './deadline.ts';
import type { Door } from './door.ts';
import { Declined, errorAnswer, reportsPath, vendorError } from './errors.ts';
import { guardCaller, guardOrigin } from './guard.ts';
import { addEvents } from './events.ts';
import { addHealth } from './health.ts';
import { addMetrics } from './metrics.ts';
import { addMetricCsv } from './metric-csv.ts';
import { addPanels } from './panels.ts';
import { addPulls } from './pulls.ts';
import { addReceipts } from './receipts.ts';
import { addReconciliation } from './reconciliation.ts';
import { addReports } from './reports.ts';
import { addRestatements } from './restatements.ts';
import { addSnapshots } from './snapshots.ts';
import { addViews } from './views.ts';

/** Paths that tell nothing about anybody. */
const open = ['/api/health', '/api/openapi.json', '/api/docs'];

/** The API under `/api`. Add routes of other rooms before it serves the first request. */
export function createApi(door: Door): OpenAPIHono {
  const app = new OpenAPIHono().basePath('/api');
  const answers = new Answers();
  const log = door.log ?? (() => undefined);
  const caller = guardCaller(door);
  app.use('*', guardOrigin(door));
  app.use('*', (c, next) => (open.includes(c.req.path) ? next() : caller(c, next)));
  app.use('*', deadline);
  addHealth(app, door);
  addEvents(app, door);
  addMetricCsv(app, door);
  addMetrics(app, door, answers);
  addReceipts(app, door, answers);
  addChats(app, door, answers);
  addReconciliation(app, door, answers);
  addAccounts(app, door, answers);
  addReports(app, door, answers);
  addSnapshots(app, door);
  addPanels(app, door);
  addPulls(app, door);
  addRestatements(app, door, answers);
  addViews(app, door);
  addAnnotations(app, door);
  addDigests(app, door);
  addDashboardPdf(app, door);
  addDocs(app, door);
  const refusal = (c: Context, error: unknown): Response =>
    (reportsPath.test(c.req.path) ? vendorError : errorAnswer)(c, error, log);
  app.onError((error, c) => refusal(c, error));
  app.notFound((c) => {
    const paths = [
      '/api/health',
      '/api/metrics',
      '/api/metrics/{id}',
      '/api/metrics/{id}.csv',
      '/api/panels/{dashboard}/{file}',
      '/api/receipts/{id}',
      '/api/chats',
      '/api/chats/{id}',
      '/api/reconciliation',
      '/api/accounts',
      '/api/reports/chats/total_chats',
      '/api/snapshots',
      '/api/snapshots/current/file',
      '/api/restatements',
      '/api/pulls',
      '/api/views',
      '/api/annotations',
      '/api/digests',
      '/api/digests/{id}',
      '/api/dashboards/{id}.pdf',
      '/api/events',
      '/api/openapi.json',
      '/api/docs',
    ];
    return refusal(c, new Declined('not_found', `there is no ${c.req.method} ${c.req.path}`, paths));
  });
  return app;
}
