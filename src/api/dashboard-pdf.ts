// A page as a document: the panels of one dashboard under the filters of its address, set by the engine of the digests.
import { createHash } from 'node:crypto';
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import { askingOf, documentContext } from '#digests/asking.ts';
import { wantedOf, editionOf } from '#digests/edition.ts';
import { papers } from '#digests/digest.ts';
import { isLanguage, languages, no_language } from '#digests/language.ts';
import { rangeOf } from '#digests/periods.ts';
import { filesOf } from '#digests/rendered.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { readerKey } from '#warehouse/reader.ts';
import { isZone } from '#warehouse/zone.ts';
import type { ApiDeps } from './deps.ts';
import { Documents } from './documents.ts';
import { Declined } from './errors.ts';
import { fileAnswer } from './digests.ts';
import { accountOf, nowOf, readerOf, snapshotOf } from './context.ts';
import { problem } from './metrics.ts';

const date = z.iso.date();
const Parameters = z.object({
  from: date.optional(),
  to: date.optional(),
  timezone: z.string().refine(isZone, { error: 'must be an IANA zone' }).optional(),
  group: z.array(z.string().regex(/^\d{1,9}$/, { error: 'must be a number' })).optional(),
  agent: z.array(z.string()).optional(),
  tag: z.array(z.string()).optional(),
  account: z.string().optional(),
  language: z.string().refine(isLanguage, { error: no_language }).optional(),
  paper: z.enum(papers).optional(),
});
const longest_days = 3700;

export function addDashboardPdf(app: OpenAPIHono, deps: ApiDeps): void {
  const documents = new Documents();
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/dashboards/{id}.pdf',
    summary: 'A dashboard as a PDF, with the filters of its page',
    request: { params: z.object({ id: z.string() }), query: Parameters },
    responses: {
      200: { description: 'The document', content: { 'application/pdf': { schema: z.string() } } },
      400: problem('A filter is wrong'),
      404: problem('There is no such dashboard'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/dashboards/:file{[a-z_-]+\\.pdf}', async (c) => {
    const id = c.req.param('file').slice(0, -'.pdf'.length);
    const [dashboard] = wantedOf([id]);
    if (!dashboard) throw new Declined('not_found', `there is no dashboard ${id}`);
    const asked = asFilters(new URL(c.req.url).searchParams);
    const reader = readerOf(deps, c);
    const account = accountOf(deps, reader, asked.account);
    const snapshot = snapshotOf(deps);
    const timezone = asked.timezone ?? account.timezone;
    const to = asked.to ?? localDate(timezone, nowOf(deps));
    const from = asked.from ?? dateOf(dayNumber(to) - 29);
    if (from > to) throw new Declined('bad_request', `from=${from} is after to=${to}`);
    if (dayNumber(to) - dayNumber(from) > longest_days)
      throw new Declined('bad_request', `at most ${longest_days} days fit on paper`);
    const filters = { group: (asked.group ?? []).map(Number), agent: asked.agent ?? [], tag: asked.tag ?? [] };
    const order = {
      title: dashboard.title,
      language: asked.language ?? 'en-GB',
      paper: asked.paper ?? 'a4',
      content: [id],
      stamps: [],
    } as const;
    const key = JSON.stringify([readerKey(reader), snapshot.id, account, timezone, from, to, filters, order]);
    const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    const file = await documents.get(key, async () => {
      const asking = await askingOf(await documentContext(reader, snapshot, account), {
        period: rangeOf(from, to),
        timezone,
        filters,
      });
      const [made] = await filesOf(await editionOf(asking, order), ['pdf'], `${id}-${from}-${to}`);
      if (!made) throw new Declined('internal', 'no document was made');
      return made;
    });
    return fileAnswer(c, file);
  });
}

/** What the pages have in their addresses besides (grain, preset, compare) does not reach a document. */
function asFilters(search: URLSearchParams): z.infer<typeof Parameters> {
  const many = (name: string) => (search.has(name) ? { [name]: search.getAll(name).filter(Boolean) } : {});
  const single = ['from', 'to', 'timezone', 'account', 'language', 'paper'].flatMap((name): [string, string][] => {
    const value = search.get(name);
    return value ? [[name, value]] : [];
  });
  const parsed = Parameters.safeParse({
    ...Object.fromEntries(single),
    ...many('group'),
    ...many('agent'),
    ...many('tag'),
  });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const choices = issues.some(({ path }) => path[0] === 'language') ? languages : [];
  throw new Declined(
    'bad_request',
    issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    choices,
  );
}
