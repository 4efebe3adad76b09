// The cells of a metric as CSV of any size, streamed from the engine as fast as the client reads.
import type { Hono } from 'hono';
import { csvInPieces } from '#digests/tables/csv.ts';
import { exported } from '#warehouse/query/export.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import type { Downloads } from './downloads.ts';
import { questionIn, wantedOf } from './question.ts';
import { pooledContextOf } from './several-accounts.ts';

export function addMetricCsv(app: Hono, deps: ApiDeps, downloads: Downloads): void {
  app.get('/metrics/:file{.+\\.csv}', async (c) => {
    const metric = metricOf(c.req.param('file').slice(0, -'.csv'.length));
    const { id } = metric;
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const wanted = wantedOf(metric, parameters);
    const pool = await pooledContextOf(deps, c, parameters);
    const { open } = pool ?? (await contextOf(deps, c, parameters));
    const { ask, columns, pieces } = await exported(id, wanted, await open());
    return downloads.answer(c, () =>
      Promise.resolve({
        name: `${pool ? `${pool.accounts.length}-accounts` : ask.account}-${id}-${ask.from}-${ask.to}.csv`,
        type: 'text/csv; charset=utf-8',
        parts: csvInPieces(columns, pieces, (row) => columns.map((name) => cellOf(row[name]))),
      }),
    );
  });
}

const cellOf = (value: string | number | boolean | null | undefined): string | number | null =>
  typeof value === 'boolean' ? String(value) : (value ?? null);
