// The same questions through the API, as the server answers them: one alone again and again, and those of a page together.
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { createApi } from '#api/app.ts';
import type { ApiDeps } from '#api/deps.ts';
import { openAuth } from '#auth/auth.ts';
import { overview } from '#dashboards/overview.ts';
import type { Panel } from '#dashboards/panel.ts';
import { questions } from '#dashboards/questions.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { questionAddress } from '#lib/metric-question.ts';
import { readFilters } from '#lib/filters.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import type { QueryTexts } from '#api/question.ts';
import type { Store } from '#warehouse/engine.ts';
import { elapsed, median } from './clock.ts';
import { now, zone } from './generate.ts';

const token = 'bench-token';
const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' };

const published_at = '2026-10-20T06:00:00.000Z';

const doorOf = (engine: Store, id: string): ApiDeps => ({
  snapshot: () => ({ id, published_at, engine }),
  published: () => ({ id, published_at }),
  publishedChats: () => 0,
  snapshots: {
    list: () => Promise.resolve([]),
    lost: () => Promise.resolve(null),
    spare: () => Promise.resolve(0),
    open: () => Promise.reject(new Error('nothing is kept')),
    space: () => 0,
  },
  auth: openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: () => now * 1000 }),
  files: tmpdir(),
  userData: userDataIn(new DatabaseSync(':memory:'), { clock: () => now * 1000, id: () => 'bench' }),
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

function pathOf(metric: string, question: QueryTexts): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    for (const one of [value ?? []].flat()) search.append(name, one);
  }
  return `/api/metrics/${metric}?${search}`;
}

/** Median milliseconds of the second and later answers. */
export async function askDoor(engine: Store, asked: { metric: string; question: QueryTexts }): Promise<number> {
  const api = createApi(doorOf(engine, 'kept'));
  const path = pathOf(asked.metric, asked.question);
  await fetched(api, path);
  const times: number[] = [];
  for (let count = 0; count < 200; count++) times.push(await elapsed(() => fetched(api, path)));
  return median(times);
}

export interface Page {
  questions: number;
  /** Milliseconds for all of them at once, the first time on a snapshot and again. */
  together: number;
  again: number;
}

/** Everything that the page asks for these panels by day over a range, as it asks it, each once. */
async function pathsOf(api: Api, panels: readonly Panel[], range: { from: string; to: string }): Promise<string[]> {
  const { metrics } = JSON.parse(await fetched(api, '/api/metrics')) as { metrics: Metric[] };
  const filters = readFilters(
    new URLSearchParams({ ...range, grain: 'day' }),
    zone,
    '2023-10-01',
    new Date(now * 1000),
  );
  const paths = panels.flatMap((panel) =>
    questions(panel).map((question) =>
      questionAddress(
        question,
        'default',
        filters,
        metrics.find(({ id }) => id === question.metric),
      ),
    ),
  );
  return [...new Set(paths)];
}

/** The overview, and the overview without some of its panels, on snapshots not queried before. Medians. */
export async function overviewOf(
  engine: Store,
  range: { from: string; to: string },
  isLeftOut: (panel: Panel) => boolean = () => false,
): Promise<Page> {
  const panels = [...overview.panels, ...(overview.today ?? [])].filter((panel) => !isLeftOut(panel));
  const paths = await pathsOf(createApi(doorOf(engine, 'catalogue')), panels, range);
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
