// The question as a value: validated before any SQL exists. Refusals name the choices.
import type { QueryContext } from './context.ts';
import type { Grain } from '../dialect.ts';
import type { Value } from '../engine.ts';
import { Refused } from '../errors.ts';
import { filterNames, type Filter, type MetricDefinition, type Split } from '../definitions/metric.ts';
import { dateOf, dayNumber, first_day, isDate, last_day, localDate } from '../periods.ts';
import { ofOneGroup, type Reader } from './reader.ts';
import { chosenValues, splitNamed } from '../variables.ts';
import { isZone, spelled } from '../zone.ts';
import { poolSeparator, type AskedAccounts } from './asked-accounts.ts';

export type AskFilters = Partial<Record<Filter, readonly Value[]>>;

/** A question before it is known whether the metric can answer it. Missing fields take their defaults. */
export interface AskInput {
  /** Local dates, both included; by default the 30 days up to today. */
  from?: string | undefined;
  to?: string | undefined;
  /** IANA zone; by default the account's own. */
  timezone?: string | undefined;
  /** By default day. */
  grain?: string | undefined;
  /** That by a declared variable names it: `variable:plan`. */
  split?: readonly string[] | undefined;
  filters?: AskFilters | undefined;
  compare?: string | undefined;
  /** Seconds, for metrics that measure against a target. */
  target?: number | undefined;
}

/** A question that has an answer. */
export interface Ask extends AskedAccounts {
  timezone: string;
  /** Local dates, both included. */
  from: string;
  to: string;
  grain: Grain;
  split: readonly Split[];
  /** The declared variable behind the split `variable`. */
  variable?: string;
  filters: AskFilters;
  compare?: 'previous' | 'year';
  /** Seconds, for metrics that measure against one. */
  target?: number;
  /** Unix second of a quarter hour after which nothing counts: for the comparison with an unfinished range. */
  until?: number;
  /** Unix second up to which chats are known in an unfinished range: what is divided by time is divided by the time before it. */
  reached?: number;
  /** The same for some accounts of a pool, by id. */
  ends?: ReadonlyMap<string, number>;
}

const compares = ['previous', 'year'] as const;
const longestDays = 366 * 40;
const longestHourDays = 800;
const mostValues = 500;

const listed = (words: readonly string[]): string => words.join(', ');

function dateIn(name: 'from' | 'to', { [name]: value }: AskInput): string | undefined {
  if (value === undefined) return undefined;
  if (!isDate(value)) throw new Refused(name, `${name}=${value} is not a date, write it as YYYY-MM-DD`);
  if (value < first_day) throw new Refused(name, `${name}=${value} is before ${first_day}, the first day there is`);
  if (value > last_day) throw new Refused(name, `${name}=${value} is after ${last_day}, the last day there is`);
  return value;
}

function choice<T extends string>(name: string, value: string, choices: readonly T[], whose: string): T {
  const found = choices.find((candidate) => candidate === value);
  if (found === undefined)
    throw new Refused(name, `${whose} cannot be asked with ${name}=${value}, only with ${listed(choices)}`, choices);
  return found;
}

/** What only has a meaning within its account. */
const ofOneAccount = ['group', 'agent', 'goal'] as const satisfies readonly Split[];

function splitOf(
  metric: MetricDefinition,
  { split = [] }: AskInput,
  pool: Ask['pool'],
): Pick<Ask, 'split' | 'variable'> {
  const choices = pool ? (['account', ...metric.splits] as const) : metric.splits;
  const named = split.map(splitNamed);
  const asked = named.map(({ split: name }) => name);
  for (const value of asked) {
    if (!choices.some((split) => split === value))
      throw new Refused('split', `${metric.id} can be split by ${listed(choices)}, not by ${value}`, choices);
  }
  const always: readonly string[] = metric.always ?? [];
  const whole = [...new Set([...always, ...asked])].map((value) => choice('split', value, choices, metric.id));
  const isOfOne = pool && whole.some((name) => name === 'account' || ofOneAccount.some((other) => other === name));
  const splits = isOfOne ? (['account', ...whole.filter((name) => name !== 'account')] as const) : whole;
  if (!splits.includes('variable')) return { split: splits };
  const [variable, ...others] = new Set(named.flatMap((each) => each.variable ?? []));
  if (variable === undefined || others.length > 0)
    throw new Refused(
      'split',
      'a split by variable names one that is declared (GET /api/variables lists them), such as split=variable:plan',
    );
  return { split: splits, variable };
}

function filtersOf(metric: MetricDefinition, { filters: asked = {} }: AskInput, pool: Ask['pool'] = []): AskFilters {
  const filters: AskFilters = {};
  for (const name of ['group', 'goal'] as const)
    if (asked[name] && pool.length > 1)
      throw new Refused(
        name,
        `${name}=${asked[name].join(` or ${name}=`)} is another ${name} in each account: ask with split=account,${name}, or of one account`,
        [`split=account,${name}`],
      );
  for (const name of filterNames) {
    const values = [...new Set(asked[name])];
    if (values.length === 0) continue;
    if (!metric.filters.includes(name))
      throw new Refused(
        name,
        metric.filters.length === 0
          ? `${metric.id} exists for the whole account only, not by ${name}`
          : `${metric.id} can be narrowed by ${listed(metric.filters)}, not by ${name}`,
        metric.filters,
      );
    if (values.length > mostValues) throw new Refused(name, `${name} is given more than ${mostValues} values`);
    if (name === 'variable') chosenValues(values.map(String));
    filters[name] = values;
  }
  return filters;
}

/** Seconds. */
export const longestTarget = 86_400;

function targetOf(metric: MetricDefinition, { target = metric.target }: AskInput): { target?: number } {
  if (target === undefined) return {};
  if (metric.target === undefined)
    throw new Refused('target', `${metric.id} takes no target: it is the number of seconds of a service level`);
  if (!Number.isInteger(target) || target < 0 || target > longestTarget)
    throw new Refused('target', `target=${target} is not a whole number of seconds from 0 to ${longestTarget}`);
  return { target };
}

/**
 * The source reports on the whole account, one group or one agent: a reader of a single group gets that group's numbers without asking
 * for it, and an agent the own ones. Chats are already restricted to these.
 */
function ownPart(metric: MetricDefinition, split: readonly Split[], filters: AskFilters, reader: Reader): AskFilters {
  const { own = {}, splits = [] } = metric.reported ?? {};
  const isSplit = (name: Split): boolean => split.includes(name) && !own[name];
  if ((['group', 'agent'] as const).some((name) => isSplit(name) || filters[name])) return filters;
  const group = ofOneGroup(reader);
  if (group !== undefined && splits.includes('group')) return { group: [group], ...filters };
  // Of chats it would leave those that the agent answered first, where a metric counts them so.
  const agent = metric.archived ? undefined : reader.rows?.agent;
  return agent !== undefined && splits.includes('agent') ? { agent: [agent], ...filters } : filters;
}

/** Readers who may not see agents by name get no answer about one, and agents none about another. Errors: Refused. */
function assertMayName(
  metric: MetricDefinition,
  split: readonly Split[],
  filters: AskFilters,
  { rows = {} }: Reader,
): void {
  if (!split.includes('agent') && !filters.agent) return;
  if (rows.hides_agents) throw new Refused('agent', 'you may not see the figures of single agents (agents:read)');
  const { agent: own, own_figures, agents_from } = rows;
  const isOwn = filters.agent?.every((agent) => agent === own) === true;
  if (own_figures && own !== undefined && !isOwn)
    throw new Refused('agent', `of single agents you may see your own figures only: ask with agent=${own}`, [
      `agent=${own}`,
    ]);
  if (agents_from !== undefined && metric.always?.includes('agent'))
    throw new Refused('metric', `${metric.id} ranks agents, and rankings are switched off (CHATLEDGER_AGENT_FIGURES)`);
}

/**
 * Numbers made of every agent's report are refused if the reader sees only part of them: an agent without the colleagues, groups without
 * other chats of their members, or readers without figures of agents. Errors: Refused.
 */
function assertSeesEach(
  metric: MetricDefinition,
  split: readonly Split[],
  filters: AskFilters,
  { rows = {} }: Reader,
): void {
  if (!metric.reported?.each) return;
  if (rows.hides_agents)
    throw new Refused(
      'metric',
      `${metric.id} is made of figures of single agents, which you may not see (agents:read)`,
    );
  if (rows.agent !== undefined && !split.includes('agent') && !filters.agent)
    throw new Refused('agent', `you may see ${metric.id} of yourself only: ask with agent=${rows.agent}`, [
      `agent=${rows.agent}`,
    ]);
  if (rows.groups && metric.archived)
    throw new Refused('metric', `${metric.id} needs all chats of an agent, and you see those of your groups only`);
}

/** The question with every default filled in. Errors: Refused. */
export function askOf(
  metric: MetricDefinition,
  wanted: AskInput,
  { account: own, now, reader, pool }: Pick<QueryContext, 'account' | 'now' | 'reader'> & Pick<AskedAccounts, 'pool'>,
): Ask {
  const { timezone = own.timezone, compare } = wanted;
  if (!isZone(timezone))
    throw new Refused('timezone', `timezone=${timezone} is not an IANA time zone such as Europe/Warsaw or UTC`);
  const grain = choice('grain', wanted.grain ?? 'day', metric.grains, metric.id);
  const to = dateIn('to', wanted) ?? localDate(timezone, now);
  const from = dateIn('from', wanted) ?? dateOf(Math.max(dayNumber(to) - 29, dayNumber(first_day)));
  if (from > to) throw new Refused('from', `from=${from} is after to=${to}`);
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days > longestDays) throw new Refused('from', `${days} days is too long a range, at most ${longestDays}`);
  if (grain === 'hour' && days > longestHourDays)
    throw new Refused(
      'grain',
      `${days} days by hour is too much for one answer: at most ${longestHourDays} days, or longer periods`,
      metric.grains.filter((candidate) => candidate !== 'hour'),
    );
  const { split, variable } = splitOf(metric, wanted, pool);
  const filters = filtersOf(metric, wanted, pool);
  assertMayName(metric, split, filters, reader);
  assertSeesEach(metric, split, filters, reader);
  return {
    account: pool ? pool.join(poolSeparator) : own.id,
    ...(pool ? { pool } : {}),
    timezone: spelled(timezone),
    from,
    to,
    grain,
    split,
    ...(variable === undefined ? {} : { variable }),
    filters: pool ? filters : ownPart(metric, split, filters, reader),
    ...targetOf(metric, wanted),
    ...(compare === undefined ? {} : { compare: choice('compare', compare, compares, metric.id) }),
  };
}
