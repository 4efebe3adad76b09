// What monitoring reads: true values on a port of their own, and nothing that the alert rules and the dashboard ask for is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync, linkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiDeps } from '#api/deps.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { complaintsOf } from '../../src/server/settings-problems.ts';
import { diskUse } from '../../src/server/monitoring/disk-use.ts';
import { createMonitor, type Monitor } from '../../src/server/monitoring/gauges.ts';
import { openMonitoring } from '../../src/server/monitoring/monitoring-server.ts';
import { apiDeps } from '../api/deps.ts';
import { newFolder } from './program.ts';

const ended = (ended_at: string, state: 'done' | 'failed') => ({
  ...{ account: 'default', pull_id: ended_at, started_at: ended_at, ended_at, state, error: null },
  ...{ requests: 1, chats_new: 0, chats_changed: 0, chats_unchanged: 0 },
});
const pulls = [ended('2026-11-18T10:00:00.000Z', 'done')];

async function monitored(): Promise<{ monitor: Monitor; deps: ApiDeps }> {
  const engine = await openWarehouse(':memory:');
  await engine.exec(
    `insert into ledger.reconciliation (account, metric, timezone, grain, split, split_value, day, period, measure, reason, checked_at)
     values ('default', 'total_chats', 'UTC', 'day', '', '', date '2026-11-01', timestamptz '2026-11-01 00:00:00Z', 'chats', 'unexplained', timestamptz '2026-11-02 00:00:00Z'),
            ('default', 'total_chats', 'UTC', 'day', '', '', date '2026-11-02', timestamptz '2026-11-02 00:00:00Z', 'chats', 'equal', timestamptz '2026-11-03 00:00:00Z')`,
  );
  const deps = apiDeps(engine, {
    pulls: () => ({ running: [], ended: pulls }),
    backups: () => ({
      schedule: null,
      last: null,
      failed: { at: '2026-11-18T03:00:00.000Z', sentence: 'full' },
      is_late: false,
    }),
  });
  return { deps, monitor: createMonitor({ deps, disk: { use: diskUse(newFolder()), full_at: () => 1.8e9 } }) };
}

const valueIn = (text: string, name: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);

test('values are those of the program', async () => {
  const { monitor } = await monitored();
  const asked = { method: 'GET', request_id: undefined };
  monitor.answered({ ...asked, path: '/api/metrics/total_chats', status: 200, seconds: 0.03 });
  monitor.answered({ ...asked, path: '/api/metrics/no_such_metric', status: 404, seconds: 0.001 });
  monitor.answered({ ...asked, path: '/queue', status: 200, seconds: 0.3 });
  monitor.answered({ ...asked, path: '/api/events', status: 200, seconds: 3000 });
  const first = await monitor.registry.metrics();
  const of = (name: string): string | undefined => valueIn(first, `chatledger_${name}`);
  expect(of('unexplained_cells')).toBe('1');
  expect(of('backup_failed')).toBe('1');
  expect(of('disk_full_timestamp_seconds')).toBe('1800000000');
  expect(of('pulls_total{account="default",outcome="done"}')).toBe('1');
  expect(of('pulls_total{account="default",outcome="failed"}')).toBe('0');
  expect(of('question_duration_seconds_count{metric="total_chats"}')).toBe('1');
  expect(of('http_request_duration_seconds_count{part="api/metrics",status="4xx"}')).toBe('1');
  expect(of('http_request_duration_seconds_bucket{le="0.5",part="page",status="2xx"}')).toBe('1');
  expect(first).not.toContain('no_such_metric');
  expect(first).not.toContain('api/events');
  pulls.push(ended('2026-11-18T10:05:00.000Z', 'failed'), ended('2026-11-18T10:05:00.000Z', 'done'));
  const second = await monitor.registry.metrics();
  expect(valueIn(second, 'chatledger_pulls_total{account="default",outcome="done"}')).toBe('2');
  expect(valueIn(second, 'chatledger_pulls_total{account="default",outcome="failed"}')).toBe('1');
  // The clock was set back.
  pulls.push(ended('2025-11-18T10:05:00.000Z', 'failed'));
  expect(valueIn(await monitor.registry.metrics(), 'chatledger_pulls_total{account="default",outcome="failed"}')).toBe(
    '2',
  );
});

test('what may fail is counted from zero on: a value that comes from nowhere is no rise for alert rules', async () => {
  const { monitor } = await monitored();
  const text = await monitor.registry.metrics();
  for (const state of ['failed', 'unknown', 'sent'])
    expect([state, valueIn(text, `chatledger_digest_sends{state="${state}"}`)]).toEqual([state, '0']);
});

test('the disk is counted by kind, two names of one file once', async () => {
  const folder = newFolder();
  for (const name of ['warehouse', 'published/snapshots']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'warehouse', 'archive.duckdb'), 'x'.repeat(10));
  writeFileSync(join(folder, 'warehouse', 'chatledger.duckdb'), 'x'.repeat(20));
  writeFileSync(join(folder, 'published', 'chatledger.duckdb'), 'x'.repeat(40));
  linkSync(join(folder, 'published', 'chatledger.duckdb'), join(folder, 'published', 'snapshots', 'one.duckdb'));
  writeFileSync(join(folder, 'letter.txt'), 'x'.repeat(80));
  const backups = newFolder();
  writeFileSync(join(backups, 'part'), 'x'.repeat(160));
  const { kinds, free, size } = await diskUse(folder, backups)();
  expect(kinds).toMatchObject({ raw_archive: 10, warehouse: 20, snapshots: 40, other: 80, app: 0, backups: 160 });
  expect(size).toBeGreaterThan(free);
  expect((await diskUse(folder, join(backups, 'none'))()).kinds).toMatchObject({ backups: 0 });
  expect(free).toBeGreaterThan(1000);
});

test('the port answers to its password, and with nothing else', async () => {
  const { monitor } = await monitored();
  const server = await openMonitoring(monitor, { host: '127.0.0.1', port: 0, password: 'scrape me often' });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const status = async (path: string, password?: string, method = 'GET'): Promise<number> => {
    const headers: Record<string, string> =
      password === undefined ? {} : { authorization: `Basic ${btoa(`prometheus:${password}`)}` };
    const answer = await fetch(url + path, { method, headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await status('/metrics')).toBe(401);
  expect(await status('/metrics', 'scrape me')).toBe(401);
  expect(await status('/metrics', 'scrape me often')).toBe(200);
  expect(await status('/metrics', 'scrape me often', 'POST')).toBe(405);
  expect(await status('/api/health', 'scrape me often')).toBe(404);
  expect(await status('/metrics/../etc', 'scrape me often')).toBe(404);
  server.close();
  server.closeAllConnections();
});

test('an address that others reach needs a password', () => {
  const reading = (name: string, value: string) => ({ name, value, source: 'environment' });
  const complaints = (...readings: unknown[]): string[] =>
    complaintsOf({ readings, unknown: [], file: { accounts: [], complaints: [] } } as never).filter((it) =>
      it.includes('METRICS'),
    );
  const open = reading('CHATLEDGER_METRICS_HOST', '0.0.0.0');
  expect(complaints(open)).toEqual([expect.stringContaining('needs CHATLEDGER_METRICS_PASSWORD')]);
  expect(complaints(open, reading('CHATLEDGER_METRICS_PASSWORD', 'scrape me often'))).toEqual([]);
});

const alerts = 'docs/monitoring/alerts.yml';
const dashboard = 'docs/monitoring/grafana-dashboard.json';

test('alert rules and dashboard name what is there', async () => {
  const { monitor } = await monitored();
  const known = new Set(
    (await monitor.registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  for (const file of [alerts, dashboard]) {
    const named = [...readFileSync(file, 'utf8').matchAll(/\b(?:chatledger|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name,
    );
    expect(named.length).toBeGreaterThan(8);
    expect([file, named.filter((name) => !known.has(name))]).toEqual([file, []]);
  }
});

interface Dashboard {
  panels: {
    id: number;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { expr: string; legendFormat: string }[];
  }[];
}

test('the dashboard asks for each gauge of the disk, by labels that there are, in places of their own', async () => {
  const { monitor } = await monitored();
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8')) as Dashboard;
  const targets = panels.flatMap((panel) => panel.targets);
  const asked = targets.map(({ expr }) => expr).join(' ');
  const all = await monitor.registry.metrics();
  const disk = [...all.matchAll(/^# TYPE (chatledger_disk_\w+)/gm)].map(([, name = '']) => name);
  expect(disk.length).toBe(3);
  expect(disk.filter((name) => !asked.includes(name))).toEqual([]);
  expect(all).toMatch(/^chatledger_disk_bytes\{kind="warehouse"\} \d/m);
  const definitions = monitor.registry.getMetricsAsArray();
  const labels = definitions.flatMap((metric) => ('labelNames' in metric ? (metric.labelNames as string[]) : []));
  for (const { expr, legendFormat } of targets) {
    const named = [
      ...legendFormat.matchAll(/\{\{(\w+)\}\}/g),
      ...expr.matchAll(/[{,](\w+)="/g),
      ...expr.matchAll(/ by \((\w+)\)/g),
    ].map(([, label = '']) => label);
    expect([expr, named.filter((label) => ![...labels, 'le', 'job'].includes(label))]).toEqual([expr, []]);
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

type Labels = Readonly<Record<string, string>>;

function summaryOf(alert: string, labels: Labels): string {
  const [, summary = ''] =
    new RegExp(`alert: ${alert}\\n[^]*?summary: '?([^'\\n]+)`).exec(readFileSync(alerts, 'utf8')) ?? [];
  return summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
}

/** Alerts that fire at an hour, from series in the notation of promtool, a value each minute. */
const firing = (at: string, series: Record<string, string>, alert: string, labels: Labels | null): string =>
  JSON.stringify({
    rule_files: [resolve(alerts)],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          {
            ...{ eval_time: at, alertname: alert },
            exp_alerts:
              labels === null ? [] : [{ exp_labels: labels, exp_annotations: { summary: summaryOf(alert, labels) } }],
          },
        ],
      },
    ],
  });

test.skipIf(!hasPromtool).each<[string, string, Record<string, string>, string, Labels | null]>([
  [
    'a report that failed',
    '30m',
    { 'chatledger_digest_sends{state="failed"}': '0x19 1x40' },
    'ChatledgerDigestsFail',
    { state: 'failed' },
  ],
  [
    'no report that arrived after all',
    '30m',
    { 'chatledger_digest_sends{state="failed"}': '3x19 2x40' },
    'ChatledgerDigestsFail',
    null,
  ],
  [
    'a record that was set aside',
    '30m',
    { 'chatledger_quarantined_records{account="a"}': '0x19 1x40' },
    'ChatledgerQuarantineGrows',
    { account: 'a' },
  ],
  [
    'no record that can be read since',
    '30m',
    { 'chatledger_quarantined_records{account="a"}': '3x19 2x40' },
    'ChatledgerQuarantineGrows',
    null,
  ],
  [
    'a start that publishes nothing',
    '70m',
    { chatledger_snapshot_timestamp_seconds: 'NaN '.repeat(80) },
    'ChatledgerNothingPublished',
    {},
  ],
  [
    'no start that published',
    '70m',
    { chatledger_snapshot_timestamp_seconds: `${'NaN '.repeat(30)} 1800x50` },
    'ChatledgerNothingPublished',
    null,
  ],
])('alerts are raised for %s', (_, at, series, alert, labels) => {
  const file = join(newFolder(), 'rules-test.yml');
  writeFileSync(file, firing(at, series, alert, labels));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file]);
  expect([status, `${String(stdout)}${String(stderr)}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

test.skipIf(!hasPromtool)(
  `promtool accepts rules and metrics${hasPromtool ? '' : ' (skipped: there is no promtool)'}`,
  async () => {
    const { monitor } = await monitored();
    execFileSync('promtool', ['check', 'rules', alerts]);
    const { stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await monitor.registry.metrics() });
    expect(String(stderr)).toBe('');
  },
);
