// Renders a page or a board as a PDF: its panels under the filters of its address, typeset by the digests' engine.
import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { boardName } from '#dashboards/board-names.ts';
import type { BoardLayout } from '#dashboards/boards.ts';
import { keptBrand, ownBrand } from '#digests/brand.ts';
import { digestQuestions, documentContext } from '#digests/digest-questions.ts';
import { wantedOf, digestDocument } from '#digests/document.ts';
import { languages } from '#digests/language.ts';
import { grains, grainShowing } from '#dashboards/grains.ts';
import { comparisons } from '#dashboards/panel-queries.ts';
import { presetRange, presets } from '#dashboards/ranges.ts';
import type { File } from '#digests/channels/letter.ts';
import { rangeOf } from '#digests/periods.ts';
import { answeredQueries } from '#digests/query-answers.ts';
import { queryOrders, type LeftOut, type QueryAsker } from '#digests/saved-queries.ts';
import { filesOf } from '#digests/rendered.ts';
import { isSeen } from '#reports/targets/scope.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { readerKey } from '#warehouse/query/reader.ts';
import { refusal_words } from '#warehouse/refusal-words.ts';
import { boardOf } from './boards.ts';
import { downloadBoard } from './contract/boards.ts';
import { downloadDashboard } from './contract/digests.ts';
import { routed } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { DocumentCache } from './documents.ts';
import { Declined } from './errors.ts';
import { fileAnswer } from './file-answer.ts';
import { accountOf, callerIn, nowOf, readerOf, snapshotOf } from './context.ts';

const longest_days = 3700;

/** What to render: a page or a board. */
interface WantedPdf {
  /** As a document names it. */
  name: string;
  title: string;
  boards?: readonly BoardLayout[];
  /** What its files are called. */
  stem: string;
}

export function addDashboardPdf(app: Hono, deps: ApiDeps): void {
  const documents = new DocumentCache();

  async function pdf(c: Context, { name, title, boards, stem }: WantedPdf): Promise<Response> {
    const asked = asFilters(new URL(c.req.url).searchParams);
    const reader = readerOf(c);
    const account = accountOf(deps, reader, asked.account);
    const snapshot = snapshotOf(deps);
    const timezone = asked.timezone ?? account.timezone;
    const today = localDate(timezone, nowOf(deps));
    const named = asked.preset && !asked.from && !asked.to ? presetRange(asked.preset, today) : undefined;
    const to = asked.to ?? named?.to ?? today;
    const from = asked.from ?? named?.from ?? dateOf(dayNumber(to) - 29);
    if (from > to) throw new Declined('bad_request', `from=${from} is after to=${to}`);
    if (dayNumber(to) - dayNumber(from) > longest_days)
      throw new Declined('bad_request', `at most ${longest_days} days fit on paper`);
    const days = dayNumber(to) - dayNumber(from) + 1;
    const shown = asked.grain && grainShowing(days, asked.grain);
    if (asked.grain && shown && shown !== asked.grain)
      throw new Declined(
        'bad_request',
        `grain=${asked.grain}: ${days} days are too many for it, ask with grain=${shown}`,
        [...grains.slice(grains.indexOf(shown))],
      );
    const filters = {
      ...{ group: (asked.group ?? []).map(Number), agent: asked.agent ?? [], tag: asked.tag ?? [] },
      variable: asked.variable ?? [],
      ...(asked.hours ? { hours: asked.hours } : {}),
    };
    const target = asked.target === undefined ? undefined : Number(asked.target);
    const order = {
      ...{ title, language: asked.language ?? 'en-GB', paper: asked.paper ?? 'a4' },
      ...{ content: [name], boards, stamps: [] },
      ...{ split: asked.split ?? [], isTogether: asked.chosen === 'together' },
    } as const;
    const runner = deps.digests?.queries;
    const orders = queryOrders(runner, boards ?? [], asQueryAsker(c, runner !== undefined));
    const targets = deps.userData.targets.list(account.id).filter(({ group }) => isSeen(reader, group));
    const brand = deps.brand?.() ?? ownBrand;
    const key = JSON.stringify([
      readerKey(reader),
      snapshot.id,
      account,
      timezone,
      from,
      to,
      filters,
      target,
      asked.compare ?? 'previous',
      asked.grain,
      order,
      targets,
      keptBrand(brand),
      orders,
    ]);
    const make = async (): Promise<File> => {
      const scope = {
        period: rangeOf(from, to),
        timezone,
        filters,
        target,
        compare: asked.compare,
        grain: asked.grain,
      };
      const asking = await digestQuestions(await documentContext(reader, snapshot, account), scope, targets);
      const queries = await answeredQueries(orders, scope, {
        ...{ runner, kept: null, snapshot: snapshot.id, clock: deps.clock },
        about: `document of ${name}`,
      });
      const document = await digestDocument(asking, { ...order, queries });
      const [made] = await filesOf(document, ['pdf'], `${stem}-${from}-${to}`, brand);
      if (!made) throw new Declined('internal', 'no document was made');
      return made;
    };
    // Statements are run each time: one may have taken too long, or ask for the time of day.
    if (orders.some(({ run }) => run)) {
      const answer = fileAnswer(c, await make());
      answer.headers.set('cache-control', 'private, no-store');
      return answer;
    }
    const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    return fileAnswer(c, await documents.get(key, make));
  }

  app.get('/dashboards/:file{[a-z_-]+\\.pdf}', (c) => {
    const id = c.req.param('file').slice(0, -'.pdf'.length);
    const [dashboard] = wantedOf({ content: [id] });
    if (!dashboard) throw new Declined('not_found', `there is no dashboard ${id}`);
    return pdf(c, { name: id, title: dashboard.title, stem: id });
  });

  app.get(routed(downloadBoard), (c) => {
    const { id, title, panels } = boardOf(deps, c, c.req.param('id'));
    return pdf(c, { name: boardName(id), title, boards: [{ id, title, panels }], stem: 'board' });
  });
}

/** Saved queries of a board run as whoever asks for its document. */
function asQueryAsker(c: Context, isAnswered: boolean): QueryAsker | LeftOut {
  const { reader, role, rights } = callerIn(c);
  if (!isAnswered) return 'no_sql';
  return rights.has('files') && !reader.rows ? { reader: reader.id, role } : 'reader_refused';
}

const names = Object.keys(downloadDashboard.query.shape);
/** What these parameters may be, to be named where one is wrong. */
const choices = { language: languages, preset: presets, compare: comparisons, grain: grains };

function asFilters(search: URLSearchParams): z.infer<typeof downloadDashboard.query> {
  const unknown = [...search.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Declined('bad_request', `there is no parameter ${unknown}, only ${names.join(', ')}`, names);
  const many = (name: string) => (search.has(name) ? { [name]: search.getAll(name).filter(Boolean) } : {});
  const single = [
    'from',
    'to',
    'preset',
    'timezone',
    'chosen',
    'hours',
    'target',
    'compare',
    'grain',
    'account',
    'language',
    'paper',
  ].flatMap((name): [string, string][] => {
    const value = search.get(name);
    return value ? [[name, value]] : [];
  });
  const parsed = downloadDashboard.query.safeParse(
    {
      ...Object.fromEntries(single),
      ...many('group'),
      ...many('agent'),
      ...many('tag'),
      ...many('variable'),
      ...many('split'),
    },
    refusal_words,
  );
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw new Declined(
    'bad_request',
    issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    Object.entries(choices).find(([name]) => issues.some(({ path }) => path[0] === name))?.[1] ?? [],
  );
}
