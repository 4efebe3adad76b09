// The same questions through the API, as the server answers them: one alone again and again, and those of a page together.
import { createApi } from '#api/app.ts';
import type { Door } from '#api/door.ts';
import { overview } from '#dashboards/overview.ts';
import { questions } from '#dashboards/questions.ts';
import type { Question } from '#warehouse/ask.ts';
import type { Engine } from '#warehouse/engine.ts';
import { elapsed, median } from './clock.ts';
import { now, zone } from './generate.ts';

const token = 'bench-token';
const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' };

const doorOf = (engine: Engine, id: string): Door => ({
  snapshot: () => ({ id, published_at: '2026-10-20T06:00:00.000Z', engine }),
  shelf: { list: () => Promise.resolve([]), open: () => Promise.reject(new Error('nothing is kept')), space: 0 },
  clock: () => now * 1000,
  accounts: () => [{ id: 'default', timezone: zone, since: '2023-10-01' }],
  pull: () => ({ last_success_at: null, running: false, stage: null, done: 0, total: 0, pulled_since: null }),
  pulls: () => ({ running: [], ended: [] }),
  token,
  loopback: true,
  version: '0.0.0',
});

type Api = ReturnType<typeof createApi>;

async function fetched(api: Api, path: string): Promise<string> {
  const response = await api.request(`http://127.0.0.1${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

function pathOf(metric: string, question: Question): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    for (const one of [value ?? []].flat()) search.append(name, one);
  }
  return `/api/metrics/${metric}?${search}`;
}

/** Median milliseconds of the second and later answers. */
export async function askDoor(engine: Engine, asked: { metric: string; question: Question }): Promise<number> {
  const api = createApi(doorOf(engine, 'kept'));
  const path = pathOf(asked.metric, asked.question);
  await fetched(api, path);
  const times: number[] = [];
  for (let count = 0; count < 200; count++) times.push(await elapsed(() => fetched(api, path)));
  return median(times);
}

/** Paths of everything the overview asks over a range, each once. */
function overviewPaths(range: { from: string; to: string }): string[] {
  const asked = overview.panels.flatMap((panel) => questions(panel));
  const paths = asked.map(({ metric, split, grain, compare }) =>
    pathOf(metric, {
      ...range,
      grain: grain === 'asked' ? 'day' : grain,
      ...(split.length > 0 ? { split: split.join(',') } : {}),
      ...(compare ? { compare: 'previous' } : {}),
    }),
  );
  return [...new Set(paths)];
}

/** Median milliseconds for all questions of the overview at once, on snapshots not asked before and again. */
export async function pageOf(
  engine: Engine,
  range: { from: string; to: string },
): Promise<{ questions: number; together: number; again: number }> {
  const paths = overviewPaths(range);
  const fresh: number[] = [];
  const kept: number[] = [];
  for (let count = 0; count < 4; count++) {
    const api = createApi(doorOf(engine, `page-${count}`));
    const all = (): Promise<unknown> => Promise.all(paths.map((path) => fetched(api, path)));
    const time = await elapsed(all);
    if (count > 0) fresh.push(time);
    kept.push(await elapsed(all));
  }
  return { questions: paths.length, together: median(fresh), again: median(kept) };
}
