// The one deps: everything that can be asked over HTTP, put together.
import { Hono, type Context } from 'hono';
import { addAccounts } from './accounts.ts';
import { addAgentsFile } from './agents-file.ts';
import { addAnnotations } from './annotations.ts';
import { addAudit } from './audit.ts';
import { audited } from './audited.ts';
import { addChatRows } from './chat-rows.ts';
import { addChats } from './chats.ts';
import { contract } from './contract/contract.ts';
import { Answers } from './answers.ts';
import { addDocs } from './docs.ts';
import { addDashboardPdf } from './dashboard-pdf.ts';
import { addDigests } from './digests.ts';
import { deadline } from './deadline.ts';
import type { ApiDeps } from './deps.ts';
import { Downloads } from './downloads.ts';
import { Declined, errorAnswer, reportsPath, vendorError } from './errors.ts';
import { guardCaller, guardOrigin } from './guard.ts';
import { addErasures } from './erasures.ts';
import { addEvents } from './events.ts';
import { addHealth } from './health.ts';
import { addMetrics } from './metrics.ts';
import { addMetricCsv } from './metric-csv.ts';
import { addOwnFigures } from './own-figures.ts';
import { addPanels } from './panels.ts';
import { addPulls } from './pulls.ts';
import { addReceipts } from './receipts.ts';
import { addReconciliation } from './reconciliation.ts';
import { addReports } from './reports.ts';
import { addRestatements } from './restatements.ts';
import { addSecondFactor } from './second-factor.ts';
import { addSignIn } from './sign-in.ts';
import { addSignOn } from './sign-on.ts';
import { addSnapshots } from './snapshots.ts';
import { addShares } from './shares.ts';
import { addSharedPage } from './shared-page.ts';
import { addTokens } from './tokens.ts';
import { addUsers } from './users.ts';
import { addBusinessHours } from './business-hours.ts';
import { addViews } from './views.ts';

/** The API under `/api`. Add routes of other rooms before it serves the first request. */
export function createApi(deps: ApiDeps): Hono {
  const app = new Hono().basePath('/api');
  const answers = new Answers(deps.rewritten);
  const downloads = new Downloads();
  const log = deps.log ?? (() => undefined);
  app.use('*', guardOrigin(deps));
  app.use('*', audited(deps));
  app.use('*', guardCaller(deps));
  app.use('*', deadline);
  addSignIn(app, deps);
  addSignOn(app, deps);
  addSecondFactor(app, deps);
  addUsers(app, deps);
  addTokens(app, deps.auth);
  addShares(app, deps);
  addSharedPage(app, deps, answers);
  addHealth(app, deps);
  addEvents(app, deps);
  addMetricCsv(app, deps, downloads);
  addMetrics(app, deps, answers);
  addAgentsFile(app, deps, downloads);
  addOwnFigures(app, deps, answers);
  addReceipts(app, deps, answers);
  addChats(app, deps, answers);
  addChatRows(app, deps, answers, downloads);
  addReconciliation(app, deps, answers);
  addAccounts(app, deps, answers);
  addReports(app, deps, answers);
  addSnapshots(app, deps);
  addPanels(app, deps);
  addPulls(app, deps);
  addRestatements(app, deps, answers);
  addErasures(app, deps);
  addViews(app, deps);
  addAnnotations(app, deps);
  addBusinessHours(app, deps);
  addDigests(app, deps);
  addDashboardPdf(app, deps);
  addAudit(app, deps);
  addDocs(app, deps);
  const refusal = (c: Context, error: unknown): Response =>
    (reportsPath.test(c.req.path) ? vendorError : errorAnswer)(c, error, log);
  app.onError((error, c) => refusal(c, error));
  app.notFound((c) => refusal(c, new Declined('not_found', `there is no ${c.req.method} ${c.req.path}`, paths)));
  return app;
}

/** What may be asked instead of what is not there; of the reports, which are many, the first stands for all. */
const paths: readonly string[] = (() => {
  const all = [...new Set(contract.map(({ path }) => `/api${path}`))];
  const [report] = all.filter((path) => reportsPath.test(path));
  return all.filter((path) => !reportsPath.test(path) || path === report);
})();
