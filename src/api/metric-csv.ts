// The cells of a metric as CSV of any size: written while the engine finds them, as fast as somebody reads.
import type { Hono } from 'hono';
import { csvLines, mark } from '#digests/tables/csv.ts';
import { Cancelled, currentSignal, within, withSignal } from '#warehouse/cancellation.ts';
import { exported } from '#warehouse/query/export.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { questionIn, wantedOf } from './question.ts';

/** A whole file takes no longer, and a reader who takes nothing for so long has left. */
const longest_seconds = 900;
const idle_seconds = 30;
const first_seconds = 120;
const most_at_once = 6;

export function addMetricCsv(app: Hono, deps: ApiDeps): void {
  let running = 0;
  app.get('/metrics/:file{.+\\.csv}', async (c) => {
    const metric = metricOf(c.req.param('file').slice(0, -'.csv'.length));
    const { id } = metric;
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const wanted = wantedOf(metric, parameters);
    const { account, open } = await contextOf(deps, c, parameters);
    const { ask, columns, pieces } = await exported(id, wanted, await open());
    if (running >= most_at_once)
      throw new Declined('unavailable', `${most_at_once} files are being read at the moment: ask again in a while`);
    // What is wrong shows with the first rows, while it can still be said.
    const first = await within(first_seconds, () => pieces.next());
    running += 1;
    const over = async (): Promise<void> => {
      running -= 1;
      await pieces.return(undefined);
    };
    async function* text(): AsyncGenerator<string> {
      yield mark + csvLines([columns]);
      for (let part = first; !part.done; part = await pieces.next())
        yield csvLines(part.value.map((row) => columns.map((name) => cellOf(row[name]))));
    }
    c.header(
      'content-disposition',
      `attachment; filename="${account.id.replaceAll(/[^\w-]/g, '_')}-${id}-${ask.from}-${ask.to}.csv"`,
    );
    c.header('cache-control', 'no-store');
    if (c.req.raw.method === 'HEAD') {
      await over();
      return c.body(null, 200, { 'content-type': 'text/csv; charset=utf-8' });
    }
    return c.body(streamOf(text(), over), 200, { 'content-type': 'text/csv; charset=utf-8' });
  });
}

const cellOf = (value: string | number | boolean | null | undefined): string | number | null =>
  typeof value === 'boolean' ? String(value) : (value ?? null);

/** Goes on when somebody reads; ends when he has left, takes nothing for a while, or it lasts too long. */
function streamOf(text: AsyncGenerator<string>, over: () => Promise<void>): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const asked = currentSignal();
  const signal = AbortSignal.any([
    leaving.signal,
    AbortSignal.timeout(longest_seconds * 1000),
    ...(asked ? [asked] : []),
  ]);
  let idle: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    clearTimeout(idle);
    leaving.abort(new Cancelled('the file is not read any more'));
    await text.return(undefined).catch(() => undefined);
    await over().catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(idle);
      try {
        const { value, done } = await withSignal(signal, () => within(first_seconds, () => text.next()));
        if (done) {
          controller.close();
          return await end();
        }
        controller.enqueue(Buffer.from(value));
        idle = setTimeout(() => {
          controller.error(new Cancelled('the file is not read any more'));
          void end();
        }, idle_seconds * 1000);
      } catch (error) {
        // TRICKY: the status has been sent; a body that breaks off is the only way left to say that the file is not whole.
        controller.error(error);
        await end();
      }
    },
    cancel: end,
  });
}
