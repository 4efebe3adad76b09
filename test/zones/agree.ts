// Compares the metrics with the service's own reports, cell by cell, over one pulled account.
import { reports } from '#contract/reports.ts';
import { dayOf, daysBetween } from '#etl/days.ts';
import { openArchive } from '#etl/raw/archive.ts';
import { basic } from '#etl/source.ts';
import { pull } from '#etl/pull.ts';
import type { WorldMaker } from '#service/growth.ts';
import { startService, type Service } from '#service/service.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeOnce } from '../made-once.ts';
import { pairs, type Pair } from './pairs.ts';
import { run } from '../warehouse/query-context.ts';

const login = 'owner@example.com';
const apiKey = 'ab'.repeat(16);
const authorization = basic(login, apiKey);

const pulledFor = {
  archive: ['archive', 'queued_visitors', 'waiting_times'],
  online: ['archive', 'availability'],
} as const satisfies Record<string, readonly string[]>;

/** One account on both sides: served by the service, pulled into a warehouse; the clock stands still. */
export interface Subject {
  service: Service;
  engine: Store;
  zone: string;
  now: number;
  close(): Promise<void>;
}

/** Whoever asks for the same account has a copy of what the first has pulled. `everything` pulls all reports, `online` when agents were there; else only what the archive cannot give and the comparison of the queue needs. `world`: a smaller one, where that is enough. */
export async function subjectOf(
  seed: number,
  zone: string,
  days: number,
  now: number,
  what: keyof typeof pulledFor | 'everything' = 'archive',
  world?: WorldMaker,
): Promise<Subject> {
  const clock = (): number => now;
  const own = { clock, seed, zone, days, port: 0, login, apiKey, ...(world ? { world } : {}) };
  const serve = (folder: string): Promise<Service> => startService({ file: join(folder, 's.sqlite'), ...own });
  const name = ['subject', seed, zone.replace('/', '-'), days, now, what, world?.name ?? 'whole'].join('-');
  const pulled = await madeOnce(name, async (folder) => {
    const service = await serve(folder);
    await pullInto(folder, { service, zone, now, what });
    await service.close();
  });
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-zones-'));
  cpSync(pulled, folder, { recursive: true });
  const service = await serve(folder);
  const engine = await openWarehouse(join(folder, 'w.duckdb'), { now });
  return {
    ...{ service, engine, zone, now },
    async close() {
      await service.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Pulling {
  service: Service;
  zone: string;
  now: number;
  what: keyof typeof pulledFor | 'everything';
}

async function pullInto(folder: string, { service, zone, now, what }: Pulling): Promise<void> {
  const engine = await openWarehouse(join(folder, 'w.duckdb'), { now });
  const archive = await openArchive(join(folder, 'a.duckdb'));
  const source = {
    ...{ id: 'default', base_url: service.url, authorization, region: 'dal', timezone: zone },
    ...{ since: service.firstDay, requests_per_second: null },
  };
  await pull({
    source,
    engine,
    archive,
    clock: () => now,
    publish: () => Promise.resolve(),
    ...(what === 'everything' ? {} : { only: new Set(pulledFor[what]) }),
  });
  await archive.close();
  await engine.close();
}

const reportOf = (subject: Subject, pair: Pair, query: Record<string, string>): Promise<Record<string, never>> =>
  servedBy(subject, reports[pair.report].path, { ...query, ...pair.query }) as Promise<Record<string, never>>;

/** What the service answers. */
export async function servedBy({ service }: Subject, path: string, query: Record<string, string>): Promise<unknown> {
  const search = new URLSearchParams(query);
  const answer = await fetch(`${service.url}${path}?${search}`, { headers: { authorization } });
  if (answer.status !== 200) throw new Error(`${path}?${search} was answered with ${answer.status}`);
  return answer.json();
}

/** What a comparison found: how many cells, and the sentences of those that differ. */
export interface Findings {
  cells: number;
  differences: string[];
}

const byPeriod = (rows: readonly Row[]): Map<string, Row[]> => Map.groupBy(rows, (row) => String(row.period));

/** Every day of the range, or every hour of each of its days, in one zone and under one filter. */
export async function compare(
  subject: Subject,
  pair: Pair,
  range: { from: string; to: string; zone: string },
  grain: 'day' | 'hour',
  filter: Record<string, string> = {},
): Promise<Findings> {
  const { from, to, zone } = range;
  const question = { from, to, grain, timezone: zone, ...filter, ...(pair.split ? { split: pair.split } : {}) };
  const context = { account: 'default', zone: subject.zone, now: subject.now };
  const answer = await run(subject.engine, pair.metric, question, context);
  const ours = byPeriod(answer.rows);
  const theirs = await theirCells(subject, pair, range, grain, filter);
  const differences: string[] = [];
  for (const [period, each] of theirs) {
    const [mine, yours] = [pair.ours(ours.get(period) ?? []), pair.theirs(each)].map((value) => JSON.stringify(value));
    if (mine !== yours)
      differences.push(`${pair.metric} ${period} ${zone} ${JSON.stringify(filter)}: metric ${mine}, report ${yours}`);
  }
  return { cells: theirs.size, differences };
}

async function theirCells(
  subject: Subject,
  pair: Pair,
  { from, to, zone }: { from: string; to: string; zone: string },
  grain: 'day' | 'hour',
  filter: Record<string, string>,
): Promise<Map<string, never>> {
  const base = { timezone: zone, group_by: grain, ...filter };
  if (grain === 'day')
    return new Map(Object.entries(await reportOf(subject, pair, { ...base, date_from: from, date_to: to })));
  const cells = new Map<string, never>();
  for (const day of daysBetween(from, to)) {
    const hours = await reportOf(subject, pair, { ...base, date_from: day, date_to: day });
    for (const [label, each] of Object.entries(hours)) cells.set(`${day} ${label}`, each);
  }
  return cells;
}

/** The day rankings and the last four weeks of chats at once, which are keyed otherwise. */
export async function compareRankingAndOccupancy(
  subject: Subject,
  range: { from: string; to: string },
): Promise<Findings> {
  const { zone } = subject;
  const context = { account: 'default', zone, now: subject.now };
  const findings: Findings = { cells: 0, differences: [] };
  const tell = (what: string, mine: unknown, yours: unknown): void => {
    findings.cells += 1;
    const [one, other] = [JSON.stringify(mine), JSON.stringify(yours)];
    if (one !== other) findings.differences.push(`${what} ${zone}: metric ${one}, report ${other}`);
  };
  const ask = (path: string): Promise<Response> =>
    fetch(`${subject.service.url}${path}`, { headers: { authorization } });
  for (const day of daysBetween(range.from, range.to)) {
    const query = new URLSearchParams({ date_from: day, date_to: day, timezone: zone });
    const { ranking } = (await (await ask(`${reports.chat_ranking.path}?${query}`)).json()) as { ranking: Row[] };
    const { rows } = await run(subject.engine, 'chat_ranking', { from: day, to: day, grain: 'total' }, context);
    const mine = rows.map(({ agent, good, bad, total, score }) => ({ good, bad, total, score, name: agent }));
    tell(`chat_ranking ${day}`, mine, ranking);
  }
  for (const weekday of ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']) {
    const query = new URLSearchParams({ weekday, timezone: zone });
    const hours = (await (await ask(`${reports.agents_occupancy.path}?${query}`)).json()) as Record<string, number>;
    const days = Object.keys(hours).map((label) => label.slice(0, 10));
    const [from = '', to = ''] = [days[0], days.at(-1)];
    const { rows } = await run(
      subject.engine,
      'concurrent_chats',
      { from, to, grain: 'hour', timezone: zone },
      context,
    );
    const most = new Map(rows.map((row) => [row.period, row.most]));
    // Days before the account began are zeros in the report and not pulled here.
    const lived = Object.entries(hours).filter(([label]) => label >= range.from);
    for (const [label, theirs] of lived) tell(`concurrent_chats ${label}`, most.get(label), theirs);
  }
  return findings;
}

/** Everything: each pair by day and hour; by day also for each group, some agents and tags. */
export async function compareAll(
  subject: Subject,
  zones: readonly string[],
  range: { from: string; to: string },
  filters: Record<'group' | 'agent' | 'tag', readonly string[]>,
): Promise<Findings> {
  const all: Findings = { cells: 0, differences: [] };
  const add = ({ cells, differences }: Findings): void => {
    all.cells += cells;
    all.differences.push(...differences);
  };
  for (const zone of zones) {
    const to = range.to < dayOf(subject.now, zone) ? range.to : dayOf(subject.now, zone);
    for (const pair of pairs) {
      add(await compare(subject, pair, { from: range.from, to, zone }, 'day'));
      add(await compare(subject, pair, { from: range.from, to, zone }, 'hour'));
      for (const kind of pair.takes)
        for (const value of filters[kind])
          add(await compare(subject, pair, { from: range.from, to, zone }, 'day', { [kind]: value }));
    }
  }
  add(await compareRankingAndOccupancy(subject, range));
  return all;
}

/** Some of everybody that a filter can name. */
export async function filtersOf(
  { engine }: Subject,
  most: number,
): Promise<Record<'group' | 'agent' | 'tag', string[]>> {
  const column = async (sql: string): Promise<string[]> => (await engine.query(sql)).map((row) => String(row.value));
  return {
    group: (await column('select distinct group_id as value from facts.chat_groups order by 1')).slice(0, most),
    agent: (await column('select distinct agent as value from facts.chat_agents order by 1')).slice(0, most),
    tag: (await column('select distinct tag as value from facts.chat_tags order by 1')).slice(0, most),
  };
}
