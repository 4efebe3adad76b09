// The schema `metrics` for analysts: one view per metric, by day in the zone of the account, built by the same compiler.
import type { Ask } from './ask.ts';
import { literals } from './bind.ts';
import { statement } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import type { Queryable } from '../engine.ts';
import type { MetricDefinition, MetricSource, Split } from '../definitions/metric.ts';
import { metrics } from '../definitions/metrics.ts';
import { localDate } from '../periods.ts';
import { withinReached } from './extent.ts';

/** An account as its views need it: its zone, the local days that were pulled, the reports that were pulled by day. */
interface Pulled {
  account: string;
  timezone: string;
  from: string;
  to: string;
  /** Unix second up to which chats of the last of these days are known. */
  reached: number;
  reports: readonly string[];
  hasBusinessHours: boolean;
}

async function pulledAccounts(engine: Queryable, now: number): Promise<Pulled[]> {
  const days = await engine.query(
    'select account, timezone, min(day) as first, max(day) as last\nfrom ledger.periods\n' +
      "where state = 'pulled'\n  and source = 'archive'\ngroup by account, timezone\norder by account, timezone",
  );
  const { second } = engine.dialect;
  const received = await engine.query(
    `select p.account, p.timezone, ${second('max(p.pulled_at)')} as received\nfrom ledger.periods as p\n` +
      "join (select account, timezone, max(day) as day from ledger.periods where state = 'pulled' and source = 'archive' group by account, timezone) as last\n" +
      "  on last.account = p.account and last.timezone = p.timezone and last.day = p.day\nwhere p.state = 'pulled'\n  and p.source = 'archive'\n" +
      'group by p.account, p.timezone',
  );
  const reports = await engine.query(
    "select distinct account, timezone, source\nfrom ledger.periods\nwhere state = 'pulled'\n  and grain = 'day'\n  and split = 'account'",
  );
  const open = await engine.query('select distinct account from account.business_hours where group_id is null');
  const today = localDate('UTC', now);
  const found = days.map(({ account, timezone, first, last }) => ({
    account: String(account),
    timezone: String(timezone),
    from: String(first),
    to: String(last),
    reached: Number(received.find((row) => row.account === account && row.timezone === timezone)?.received ?? now),
    reports: reports
      .filter((row) => row.account === account && row.timezone === timezone)
      .map((row) => String(row.source)),
    hasBusinessHours: open.some((row) => row.account === account),
  }));
  return found.length > 0
    ? found
    : [
        {
          account: 'default',
          timezone: 'UTC',
          from: today,
          to: today,
          reached: now,
          reports: [],
          hasBusinessHours: false,
        },
      ];
}

/** Splits of a view: those that an answer always has; money also by currency, next to the row without one. */
const shapes = (metric: MetricDefinition): (readonly Split[])[] =>
  metric.splits.includes('currency') ? [[], ['currency']] : [metric.always ?? []];

/** The measures in a shape of a view: each in the last shape that supports it, so that nothing is counted twice. */
function shown(metric: MetricDefinition, split: readonly Split[]): string[] {
  const isGiven = (shape: readonly Split[], name: string): boolean => !(name in (metric.withheld?.(shape, {}) ?? {}));
  const last = (name: string): readonly Split[] | undefined => shapes(metric).findLast((shape) => isGiven(shape, name));
  return Object.keys(metric.measures).filter((name) => last(name)?.length === split.length);
}

/** Sums of whole numbers widen to a type that many clients cannot read. */
const isCount = ({ measures }: MetricDefinition, name: string): boolean =>
  measures[name]?.empty === 0 && !['hours', 'seconds', 'money', 'share', 'score'].includes(measures[name].unit);

function selectOf(
  metric: MetricDefinition,
  whose: Pulled,
  split: readonly Split[],
  all: readonly Split[],
  dialect: Dialect,
): string {
  const bind = literals(dialect);
  const { account, timezone, from, to, reached } = whose;
  const asked: Ask = { account, timezone, from, to, grain: 'day', split, filters: {} };
  const ask = withinReached(metric, asked, reached);
  if (metric.target !== undefined) ask.target = metric.target;
  const sources: MetricSource[] = metric.archived ? ['archived'] : [];
  if (metric.reported && (whose.reports.includes(metric.reported.table) || !metric.archived)) sources.push('reported');
  const measures = shown(metric, split);
  const columns = [
    `${dialect.literal(account, 'text')} as account`,
    'cast(period as date) as day',
    ...all.map((name) =>
      split.includes(name) ? `"${name}"` : `cast(null as ${dialect.type('text', true)}) as "${name}"`,
    ),
    ...Object.keys(metric.measures).map((name) => {
      if (!measures.includes(name)) return `null as ${name}`;
      const value = metric.running?.includes(name) ? `sum(${name}) over (order by period)` : name;
      return isCount(metric, name)
        ? `cast(${value} as ${dialect.type('bigint', true)}) as ${name}`
        : `${value} as ${name}`;
    }),
  ];
  const days =
    "select cast(day as varchar) from ledger.periods as pulled where pulled.state = 'pulled' and pulled.grain = 'day'" +
    ` and pulled.split = 'account' and pulled.account = ${dialect.literal(account, 'text')}` +
    ` and pulled.timezone = ${dialect.literal(timezone, 'text')}` +
    ` and pulled.source = ${dialect.literal(metric.archived ? 'archive' : (metric.reported?.table ?? ''), 'text')}`;
  return `select ${columns.join(', ')}\nfrom (\n${statement(metric, ask, bind, sources)}\n) as answer\nwhere period in (${days})`;
}

/** `create view` and comments for every metric, for the accounts and days in the file. `now` in Unix seconds. */
export async function metricViews(engine: Queryable, now: number): Promise<string[]> {
  const accounts = await pulledAccounts(engine, now);
  const { dialect } = engine;
  return metrics.flatMap((metric) => {
    const whose = metric.archived?.businessHours ? accounts.filter((each) => each.hasBusinessHours) : accounts;
    if (whose.length === 0) return [];
    const splits = shapes(metric).flat();
    const selects = whose.flatMap((whose) =>
      shapes(metric).map((split) => selectOf(metric, whose, split, splits, dialect)),
    );
    const name = `metrics.${metric.id}`;
    const about = `${metric.title}, version ${metric.version}, by day. ${metric.definition}`;
    const describe = (column: string, words: string): string =>
      `comment on column ${name}."${column}" is ${dialect.literal(words, 'text')}`;
    return [
      `create or replace view ${name} as\n${selects.join('\nunion all\n')}`,
      `comment on view ${name} is ${dialect.literal(about, 'text')}`,
      describe('account', 'account id'),
      describe('day', `local day, ${accounts.map(({ timezone }) => timezone).join(', ')}`),
      ...splits.map((split) =>
        describe(split, split === 'currency' ? 'currency; null on the row that carries goals' : split),
      ),
      ...Object.entries(metric.measures).map(([column, measure]) =>
        describe(column, `${measure.title} (${measure.unit})`),
      ),
    ];
  });
}
