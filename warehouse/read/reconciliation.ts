// Cells as they were last compared with the source's reports: read by place or by page, and written.
import { parameters, type Bind } from '../query/bind.ts';
import type { Queryable, Row, Store, Value } from '../engine.ts';
import { tableOf } from '../tables/tables.ts';
import type { Page } from './page.ts';
import type { DayRange } from './pulled-days.ts';

/** The place of a number in the source's reports. */
export interface ReportPlace {
  account: string;
  timezone: string;
  grain: string;
  split: string;
  /** Group id or login; empty for the whole account. */
  split_value: string;
  period: string;
}

/** Conditions of a place, also on rows of the schema `reports`. */
export const placeConditions = (place: ReportPlace, bind: Bind): string[] =>
  (['account', 'timezone', 'grain', 'split', 'split_value', 'period'] as const).map(
    (name) => `${name} = ${bind.value(name, place[name], 'text')}`,
  );

/** Zones in which cells of a metric have been compared. */
export async function zonesCompared(engine: Queryable, account: string, metric: string): Promise<string[]> {
  const { param } = engine.dialect;
  const rows = await engine.query(
    `select distinct timezone
     from ledger.reconciliation
     where account = ${param('account', 'text')}
       and metric = ${param('metric', 'text')}
     order by timezone`,
    { account, metric },
  );
  return rows.map(({ timezone }) => String(timezone));
}

/** The results at a place: `measure`, `recomputed`, `reason`. */
export async function comparedAt(engine: Queryable, metric: string, place: ReportPlace): Promise<Row[]> {
  const bind = parameters(engine.dialect);
  const where = [`metric = ${bind.value('metric', metric, 'text')}`, ...placeConditions(place, bind)];
  return engine.query(
    `select measure, recomputed, reason\nfrom ledger.reconciliation\nwhere ${where.join('\n  and ')}`,
    bind.params,
  );
}

/** Columns by which compared cells can be narrowed. */
type ComparedBy = 'metric' | 'reason' | 'split' | 'grain';

interface ComparedCells extends DayRange {
  account: string;
  filters: Partial<Record<ComparedBy, readonly string[]>>;
}

const conditions = ({ account, from, to, filters }: ComparedCells, bind: Bind): string =>
  [
    `account = ${bind.value('account', account, 'text')}`,
    `day between cast(${bind.value('from', from, 'text')} as date) and cast(${bind.value('to', to, 'text')} as date)`,
    ...Object.entries(filters).map(([name, values]) => `${name} in (${bind.list(name, values, 'text')})`),
  ].join('\n  and ');

/** `metric`, `on_day`, `reason` and how many `cells`, in order of day and metric. */
export async function countCompared(engine: Queryable, among: ComparedCells): Promise<Row[]> {
  const bind = parameters(engine.dialect);
  return engine.query(
    'select metric, cast(day as varchar) as on_day, reason, count(*) as cells\n' +
      `from ledger.reconciliation\nwhere ${conditions(among, bind)}\ngroup by metric, day, reason\norder by day, metric`,
    bind.params,
  );
}

/** How many cells of all accounts differ without a reason. */
export async function countUnexplained(engine: Queryable): Promise<number> {
  const [row] = await engine.query("select count(*) as cells from ledger.reconciliation where reason = 'unexplained'");
  return Number(row?.cells);
}

const columns =
  'metric, timezone, grain, split, split_value, period, measure, reported, recomputed, difference, reason, checked_at';

/** In the order of `reasons`, cells in which nothing happened after all others, then the largest difference and the newest first. */
export async function listCompared(
  engine: Queryable,
  among: ComparedCells,
  reasons: readonly string[],
  { limit, offset }: Page,
): Promise<Row[]> {
  const bind = parameters(engine.dialect);
  const rank = `case reason ${reasons.map((reason, at) => `when ${bind.known(reason, 'text')} then ${at}`).join(' ')} else ${reasons.length} end`;
  return engine.query(
    `select ${columns}\nfrom ledger.reconciliation\nwhere ${conditions(among, bind)}\n` +
      `order by ${rank}, coalesce(reported, 0) = 0 and coalesce(recomputed, 0) = 0, abs(coalesce(difference, 0)) desc, period desc, metric, grain, split, split_value, measure, timezone\n` +
      `limit ${limit} offset ${offset}`,
    bind.params,
  );
}

/** Replaces the cells of the same days and zone. */
export async function replaceCompared(
  store: Store,
  { account, timezone, from, to }: DayRange & { account: string; timezone: string },
  cells: readonly Record<string, Value>[],
): Promise<void> {
  const { param } = store.dialect;
  await store.transaction(async () => {
    await store.exec(
      `delete from ledger.reconciliation
       where account = ${param('account', 'text')}
         and timezone = ${param('timezone', 'text')}
         and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)`,
      { account, timezone, from, to },
    );
    await store.load(tableOf('ledger', 'reconciliation'), cells);
  });
}
