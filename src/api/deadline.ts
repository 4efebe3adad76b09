// How long a request may take until its answer begins: what takes longer is ended, so that it cannot keep others waiting.
import type { MiddlewareHandler } from 'hono';
import { within } from '#warehouse/cancellation.ts';

/** Seconds by path; the first match applies. Null: no deadline, because the stream limits itself. */
const deadlines: readonly (readonly [path: RegExp, seconds: number | null])[] = [
  [/^\/api\/(events|snapshots\/current\/file|metrics\/[^/]+\.csv|chat-rows\.\w+)$/, null],
  // Its queue and its process limit themselves: in the longest line of the slowest statements this long.
  [/^\/api\/sql(\/file)?$/, 6000],
  [/\.(pdf|csv|xlsx)$/, 90],
  [/^\/api\/erasures\/plan$/, 600],
  [/^\/api\/(digest-files\/|digests\/[^/]+\/(run|again|sends\/))/, 120],
];
const usual = 60;

export const deadline: MiddlewareHandler = async (c, next) => {
  const found = deadlines.find(([path]) => path.test(c.req.path));
  const seconds = found ? found[1] : usual;
  await (seconds === null ? next() : within(seconds, next));
};
