// The audit over HTTP: a page of rows, or all of them as a file.
import type { Hono } from 'hono';
import type { z } from 'zod';
import type { AuditFilter } from '#auth/audit.ts';
import { csvLines, mark } from '#digests/tables/csv.ts';
import { exportAudit, listAudit } from './contract/audit.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { daysIn } from './question.ts';
import { queryOf } from './validation.ts';

const day_ms = 86_400_000;

/** Errors: Refused. */
function filterOf({ action, who, ...days }: z.infer<typeof exportAudit.query>): AuditFilter {
  const { from, to } = daysIn(days);
  const after = to === undefined ? undefined : new Date(Date.parse(to) + day_ms).toISOString();
  return { action, who, from: from === undefined ? undefined : `${from}T00:00:00.000Z`, to: after };
}

const columns = ['n', 'at', 'who', 'user', 'address', 'action', 'about', 'agents', 'is_refused', 'hash'] as const;
/** Rows of a file that are written at once. */
const at_once = 500;

export function addAudit(app: Hono, { auth: { audit } }: ApiDeps): void {
  app.get(listAudit.path, (c) => {
    const { before, limit, ...asked } = queryOf(c, listAudit.query);
    c.header('cache-control', 'no-store');
    const rows = audit.list({ ...filterOf(asked), before }, limit);
    return c.json<AnswerOf<typeof listAudit>>({ rows, head: audit.head() });
  });

  app.get(exportAudit.path, (c) => {
    const filter = filterOf(queryOf(c, exportAudit.query));
    /** TRICKY: pages continue by row number, since rows are added while a slow reader reads. */
    let [before, isBegun]: [number | undefined, boolean] = [undefined, false];
    const text = new ReadableStream<Uint8Array>({
      pull(controller) {
        const rows = audit.list({ ...filter, before }, at_once);
        const lines = rows.map((row) => columns.map((name) => (row[name] === null ? '' : String(row[name]))));
        controller.enqueue(Buffer.from(isBegun ? csvLines(lines) : mark + csvLines([[...columns], ...lines])));
        [before, isBegun] = [rows.at(-1)?.n, true];
        if (rows.length < at_once) controller.close();
      },
    });
    c.header('cache-control', 'no-store');
    c.header('content-disposition', 'attachment; filename="audit.csv"');
    return c.body(text, 200, { 'content-type': 'text/csv; charset=utf-8' });
  });
}
