// What a monitoring system reads of the program (Prometheus): pulls, snapshots, quarantine, reconciliation, digests, backups, disk, requests.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest, ApiDeps, FinishedPull } from '#api/deps.ts';
import { states } from '#digests/send.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { countUnexplained } from '#warehouse/read/reconciliation.ts';
import type { DiskWatch } from './disk-watch.ts';

const seconds = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

export interface Monitor {
  readonly registry: Registry;
  answered(request: AnsweredRequest): void;
}

interface Watched {
  deps: ApiDeps;
  disk: Pick<DiskWatch, 'use' | 'full_at'>;
}

/** Values are read when they are asked for. */
export function createMonitor({ deps, disk }: Watched): Monitor {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  addPulls(registry, deps);
  addSnapshot(registry, deps);
  addKept(registry, deps);
  addDisk(registry, disk);
  return { registry, answered: addRequests(registry) };
}

/** The library's sums over kinds, each of which it counts under another name: only what never falls is called a total. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

const gauge = (registry: Registry, name: string, help: string, collect: (it: Gauge) => void | Promise<void>): void =>
  void new Gauge({
    ...{ name: `chatledger_${name}`, help, registers: [registry] },
    collect() {
      return collect(this);
    },
  });

const labelled = <Label extends string>(
  registry: Registry,
  about: { name: string; help: string; labels: readonly Label[] },
  collect: () =>
    | Iterable<readonly [Record<Label, string>, number]>
    | Promise<Iterable<readonly [Record<Label, string>, number]>>,
): void =>
  void new Gauge({
    ...{ name: `chatledger_${about.name}`, help: about.help, labelNames: [...about.labels], registers: [registry] },
    async collect() {
      this.reset();
      for (const [labels, value] of await collect()) this.set(labels, value);
    },
  });

const unix = (instant: string | null): number => (instant === null ? NaN : Date.parse(instant) / 1000);

function addPulls(registry: Registry, deps: ApiDeps): void {
  gauge(registry, 'pull_running', '1 while a pull runs', (it) => it.set(deps.pull().running ? 1 : 0));
  gauge(
    registry,
    'pull_last_success_timestamp_seconds',
    'End of the last pull after which everything was published; NaN before the first',
    (it) => it.set(unix(deps.pull().last_success_at)),
  );
  const ended = new Counter({
    ...{ name: 'chatledger_pulls_total', help: 'Pulls that ended since the start, by account and outcome' },
    ...{ labelNames: ['account', 'outcome'], registers: [registry] },
    collect() {
      // From zero on, so that the first that fails is a rise.
      for (const { id: account } of deps.accounts())
        for (const outcome of ['done', 'failed']) ended.inc({ account, outcome }, 0);
      for (const pull of deps.pulls().ended) {
        if (!seen.has(pull)) ended.inc({ account: pull.account, outcome: pull.state });
        seen.add(pull);
      }
    },
  });
  /** By what they are: a clock that is set back names no time twice. */
  const seen = new WeakSet<FinishedPull>();
}

/** Of the published snapshot. What takes a question is asked once a snapshot. */
function addSnapshot(registry: Registry, deps: ApiDeps): void {
  gauge(registry, 'snapshot_timestamp_seconds', 'When the served snapshot was published; NaN before the first', (it) =>
    it.set(unix(deps.published()?.published_at ?? null)),
  );
  gauge(registry, 'chats', 'Chats in the served snapshot', (it) => it.set(deps.publishedChats()));
  let counted: { id: string; cells: number } | undefined;
  gauge(
    registry,
    'unexplained_cells',
    'Compared cells in which reports and recomputed metrics differ without a reason',
    async (it) => {
      const served = deps.published();
      if (!served) return it.set(NaN);
      if (counted?.id !== served.id) {
        const open = deps.snapshot();
        if (!open) return it.set(NaN);
        counted = { id: open.id, cells: await countUnexplained(open.engine) };
      }
      it.set(counted.cells);
    },
  );
}

/** What is noted beside the snapshots: failures, records set aside, digests, backups. */
function addKept(registry: Registry, deps: ApiDeps): void {
  const ofEach = (count: (recorded: NonNullable<ReturnType<NonNullable<ApiDeps['recorded']>>>) => number) => () =>
    deps.accounts().flatMap(({ id: account }) => {
      const recorded = deps.recorded?.(account);
      return recorded ? [[{ account }, count(recorded)] as const] : [];
    });
  labelled(
    registry,
    { name: 'failed_questions', help: 'Questions that could not be pulled', labels: ['account'] },
    ofEach(({ failed, more_failed }) => failed.reduce((sum, { questions }) => sum + questions, more_failed)),
  );
  labelled(
    registry,
    { name: 'quarantined_records', help: 'Records that were set aside', labels: ['account'] },
    ofEach(({ quarantined, more_quarantined }) =>
      quarantined.reduce((sum, { records }) => sum + Number(records), more_quarantined),
    ),
  );
  labelled(registry, { name: 'digest_sends', help: 'Sends of scheduled reports, by state', labels: ['state'] }, () => {
    const counts = new Map(deps.digests?.store.ledger.states().map(({ state, count }) => [state, count]));
    return states.map((state) => [{ state }, counts.get(state) ?? 0] as const);
  });
  gauge(registry, 'backup_timestamp_seconds', 'When the last good backup was made; NaN: none', (it) =>
    it.set(unix(deps.backups?.().last?.made_at ?? null)),
  );
  gauge(registry, 'backup_failed', '1 when a backup failed after the last good one, or two were due since', (it) => {
    const { failed, is_late } = deps.backups?.() ?? { failed: null, is_late: false };
    it.set(failed !== null || is_late ? 1 : 0);
  });
}

function addDisk(registry: Registry, { use, full_at }: Watched['disk']): void {
  labelled(
    registry,
    { name: 'disk_bytes', help: 'Size of the data folder, by what takes it', labels: ['kind'] },
    async () => Object.entries((await use()).kinds).map(([kind, bytes]) => [{ kind }, bytes] as const),
  );
  gauge(registry, 'disk_free_bytes', 'Room left on the disk of the data folder', async (it) =>
    it.set((await use()).free),
  );
  gauge(
    registry,
    'disk_full_timestamp_seconds',
    'The day on which the disk is full at the pace of the last 30 days; NaN: not growing, or too early to say',
    (it) => it.set(full_at()),
  );
}

const parts = [
  'metrics',
  'receipts',
  'reports',
  'chats',
  'chat-rows',
  'dashboards',
  'panels',
  'snapshots',
  'events',
  'health',
  'ready',
];
const ids = new Set(metrics.map(({ id }) => String(id)));

/** Which part of the program answers; few, whatever is asked. */
function partOf(path: string): string {
  const [, api, part = ''] = path.split('/');
  if (api === '_app') return 'file';
  if (api !== 'api') return 'page';
  const [name = ''] = part.split('.');
  return parts.includes(name) ? `api/${name}` : 'api';
}

function addRequests(registry: Registry): Monitor['answered'] {
  const took = new Histogram({
    ...{
      name: 'chatledger_http_request_duration_seconds',
      help: 'Requests by part and status, from the first byte to the end',
    },
    ...{ labelNames: ['part', 'status'], buckets: seconds, registers: [registry] },
  });
  const asked = new Histogram({
    ...{
      name: 'chatledger_question_duration_seconds',
      help: 'Questions to GET /api/metrics by metric, cached ones included',
    },
    ...{ labelNames: ['metric'], buckets: seconds, registers: [registry] },
  });
  return ({ path, status, seconds: time }) => {
    const part = partOf(path);
    if (part !== 'api/events') took.observe({ part, status: `${Math.floor(status / 100)}xx` }, time);
    const [, metric] = /^\/api\/metrics\/([a-z0-9_]+)(?:\.csv)?$/.exec(path) ?? [];
    if (metric !== undefined && ids.has(metric) && status < 400) asked.observe({ metric }, time);
  };
}
