// The table of accounts to open elsewhere: CSV, or a workbook with formats.
import type { Hono } from 'hono';
import { fileName } from '#dashboards/file-name.ts';
import { accountsTable } from '#digests/accounts-file.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import { Refused } from '#warehouse/errors.ts';
import { csvOf, workbookOf } from './agents-file.ts';
import { exportAccountsCsv, exportAccountsXlsx } from './contract/metrics.ts';
import type { ApiDeps } from './deps.ts';
import type { Downloads } from './downloads.ts';
import { assertNamed, questionIn, wantedOf } from './question.ts';
import { pooledContextOf } from './several-accounts.ts';

const names = Object.keys(exportAccountsCsv.query.shape);

export function addAccountsFile(app: Hono, deps: ApiDeps, downloads: Downloads): void {
  for (const { path } of [exportAccountsCsv, exportAccountsXlsx])
    app.get(path, async (c) => {
      const parameters = { account: '*', ...questionIn(new URL(c.req.url).searchParams) };
      assertNamed(parameters, names);
      const wanted = wantedOf(everyChat, { ...parameters, grain: 'total' });
      const pool = await pooledContextOf(deps, c, parameters);
      if (!pool)
        throw new Refused('account', 'this table is of several accounts: name several, or ask with account=*', [
          'account=*',
        ]);
      return downloads.answer(c, async () => {
        const context = await pool.open();
        const table = await accountsTable(wanted, context);
        const kind = path.slice(path.indexOf('.') + 1);
        const name = fileName(`${pool.accounts.length}-accounts`, 'accounts', table.from, table.to, kind);
        const file = kind === 'csv' ? csvOf(table) : workbookOf('Accounts', table, context.snapshot.published_at);
        return { name, ...file };
      });
    });
}
