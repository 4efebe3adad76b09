// An account of a few simulated days behind HTTP, with faults on demand, and warehouses that pull it as often as a test says.
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '#etl/raw/archive.ts';
import { retrying, type Retrying } from '#etl/fetch/retry-budget.ts';
import { pull, type PullOutcome, type PullSetup } from '#etl/pull.ts';
import { basic, type SourceAccount } from '#etl/source.ts';
import { startService, type Service, type ServiceOptions } from '#service/service.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { smallWorld } from '../livechat/service/small-world.ts';

export const at = (instant: string): number => Date.parse(instant) / 1000;

/** Waits are short, so that a test with hundreds of faults ends soon. */
export const impatient: Retrying = { ...retrying, timeout_ms: 400, first_ms: 1, longest_ms: 5 };
/** Of a source that always answers: other work on the machine is no silence. */
export const unhurried: Retrying = { ...impatient, timeout_ms: 60_000 };

export interface Pulled {
  engine: Store;
  /** Pulls as if so many seconds had gone by; the account itself stands still. */
  pull(later?: number, own?: Partial<PullSetup> & Pick<SourceAccount, 'settling_days'>): Promise<PullOutcome>;
  rows(sql: string): Promise<Row[]>;
  /** Every row of facts, reports and lists without the times and names of pulls; of reports only the days until `until`. */
  content(until?: string): Promise<Record<string, Row[]>>;
  close(): Promise<void>;
}

export interface PulledAccount {
  service: Service;
  /** Unix seconds; the account's own clock. */
  now: number;
  warehouse(): Promise<Pulled>;
  close(): Promise<void>;
}

/** The clock stands still at the instant. */
export async function pulledAccount(instant: string, days: number, own: Partial<ServiceOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-pulled-'));
  const now = at(instant);
  const service = await startService({
    ...{ file: join(folder, 's.sqlite'), days, port: 0, apiKey: 'secret', zone: 'UTC', clock: () => now },
    world: smallWorld,
    ...own,
  });
  let warehouses = 0;
  const account: PulledAccount = {
    ...{ service, now },
    warehouse: () =>
      warehouseOf({ url: service.url, since: service.firstDay, now }, join(folder, String(++warehouses)), {
        isReopened: false,
      }),
    close: () => service.close(),
  };
  return account;
}

/** Where an account is served, its first day and its clock (Unix seconds). */
export interface Served {
  url: string;
  since: string;
  now: number;
}

/** An empty warehouse and raw archive, made once: making all tables anew takes longer than a small pull. */
let empty: Promise<string> | undefined;

async function makeEmpty(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'chatledger-empty-')), 'empty');
  await (await openWarehouse(`${path}.duckdb`)).close();
  await (await openArchive(`${path}.raw.duckdb`)).close();
  return path;
}

/** A warehouse and a raw archive, at a path without an ending. What nobody opens again is closed without being tidied up. */
export async function warehouseOf(
  { url, since, now }: Served,
  path: string,
  { isReopened = true, limits = impatient } = {},
): Promise<Pulled> {
  const from = await (empty ??= makeEmpty());
  for (const ending of ['.duckdb', '.raw.duckdb'])
    if (!existsSync(`${path}${ending}`)) copyFileSync(`${from}${ending}`, `${path}${ending}`);
  const engine = await openWarehouse(`${path}.duckdb`);
  const archive = await openArchive(`${path}.raw.duckdb`);
  const source = {
    ...{ id: 'default', base_url: url, authorization: basic('owner@example.com', 'secret'), region: 'dal' },
    ...{ timezone: 'UTC', since, requests_per_second: null },
  };
  const publish = (): Promise<void> => Promise.resolve();
  return {
    engine,
    pull: (later = 0, { settling_days, ...own } = {}) =>
      pull({
        source: { ...source, settling_days },
        engine,
        archive,
        clock: () => now + later,
        limits,
        publish,
        ...own,
      }),
    rows: (sql) => engine.query(sql),
    content: (until = '9999-12-31') => contentOf(engine, until),
    async close() {
      if (!isReopened) await engine.exec('pragma disable_checkpoint_on_shutdown');
      await archive.close();
      await engine.close();
    },
  };
}

async function contentOf(engine: Store, until: string): Promise<Record<string, Row[]>> {
  const content: Record<string, Row[]> = {};
  for (const { schema, name, columns } of tables) {
    if (schema === 'ledger') continue;
    const kept = Object.keys(columns).filter((column) => !['pulled_at', 'pull_id', 'content_hash'].includes(column));
    const listed = kept.map((column) => `"${column}"`).join(', ');
    const days = 'day' in columns ? ` where day <= date '${until}'` : '';
    content[`${schema}.${name}`] = await engine.query(`select ${listed} from ${schema}.${name}${days} order by all`);
  }
  return content;
}
