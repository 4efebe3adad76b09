// Which sources of a metric can answer a question, and why the others cannot.
import type { Ask } from './ask.ts';
import { reachedIn } from './compared.ts';
import type { QueryContext } from './context.ts';
import { parameters, type Bind } from './bind.ts';
import { archiveCoverage, reportCoverage, type Coverage, type PulledDay } from './coverage.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine, Queryable } from '../engine.ts';
import { Refused } from '../errors.ts';
import { withinReached } from './extent.ts';
import { hoursOfAgents } from '../hours-of-agents.ts';
import { goallessIn } from './goalless.ts';
import type { MetricDefinition, ReportedSource, MetricSource } from '../definitions/metric.ts';
import { memoized } from '../memoize.ts';
import { businessHoursIn } from './file-hours.ts';
import { assertDeclared } from './file-variables.ts';
import { membersOnly, storedFor } from './reported.ts';
import type { Reader } from './reader.ts';
import { isSameZone } from '../zone.ts';

export interface Sources {
  can: MetricSource[];
  /** Reason for each measure that the chosen sources cannot give. */
  notGiven: Record<string, string>;
  archive?: Coverage;
  /** Keyed by group id or login. */
  reports?: Map<string, Coverage>;
  /** The question, with its zone spelled as the report is stored. */
  ask: Ask;
  /** Of a question about several accounts: those of each. */
  pool?: Pool;
}

/** By account id: its own sources, and the context in which it alone would be asked. */
export type Pool = ReadonlyMap<string, { sources: Sources; context: QueryContext }>;

/** Refuses questions that no stored answer can serve, whatever has been pulled. */
function assertShape(
  metric: MetricDefinition,
  { splits, own = {}, each, isOfMembers }: ReportedSource,
  ask: Ask,
): void {
  const choices = ['account', ...splits];
  const only = `${metric.id} comes from the source's own reports: for the whole account or one ${splits.join(' or one ')}`;
  for (const name of ['tag', 'country', 'variable', 'goal', 'currency', 'agent', 'group'] as const) {
    const isMembers = each !== undefined && name === 'group' && !ask.split.includes(name);
    if (isMembers || splits.some((split) => split === name) || (own[name] && !ask.filters[name])) continue;
    if (ask.filters[name] || ask.split.includes(name)) throw new Refused(name, `${only}, not by ${name}`, choices);
  }
  const asked = splits.filter((name) => ask.split.includes(name) || ask.filters[name]);
  const isByMember = isOfMembers && ask.split.includes('agent') && !ask.split.includes('group') && !ask.filters.agent;
  const whose = isByMember ? asked.filter((name) => name === 'agent') : asked;
  if (each) return;
  if (whose.length > 1) throw new Refused('split', `${only}, not by both at once`, choices);
  for (const name of whose) {
    if (ask.split.includes(name) || ask.filters[name]?.length === 1) continue;
    throw new Refused(name, `${only}; several at once cannot be added up: ask with split=${name}`, [`split=${name}`]);
  }
}

/**
 * The source's report on the whole account is for no reader who sees a part of it, and its reports on several groups cannot be added up.
 * Errors: Refused.
 */
function assertReportedTo({ rows = {} }: Reader, metric: MetricDefinition, reported: ReportedSource, ask: Ask): void {
  const { splits, own = {}, each } = reported;
  // Those of every agent are narrowed to the agents whom the reader sees.
  if (each) return;
  const seen = { agent: rows.agent !== undefined, group: rows.groups !== undefined };
  const only = `${metric.id} comes from the source's own reports: for ${['the whole account', ...splits.map((name) => `one ${name}`)].join(' or ')}`;
  for (const name of ['agent', 'group'] as const) {
    if (!seen[name] || own[name]) continue;
    if (!splits.includes(name))
      throw new Refused('metric', `${only}, not for ${name === 'agent' ? 'the chats of one agent' : 'some groups'}`);
    const isNarrowed = (['agent', 'group'] as const).some((split) => ask.split.includes(split) || ask.filters[split]);
    if (!isNarrowed)
      throw new Refused(name, `${only}; several at once cannot be added up: ask with split=${name}`, [`split=${name}`]);
  }
}

/** Errors: Refused, if the file lacks the account's business hours. */
async function assertBusinessHours(engine: Engine, metric: MetricDefinition, ask: Ask): Promise<void> {
  const { hours } = await businessHoursIn(engine, ask.account);
  if (hours.length > 0) return;
  throw new Refused(
    'metric',
    `${metric.id} needs business hours, and none are set for ${ask.account} in this snapshot: set them on the page ` +
      'Business hours, or in the file that CHATLEDGER_BUSINESS_HOURS names; they count from the next snapshot on',
  );
}

const zonesPulled = ({ param }: Dialect): string =>
  'select distinct timezone, grain, split\nfrom ledger.periods\n' +
  `where account = ${param('account', 'text')}\n  and source = ${param('source', 'text')}\n  and state = 'pulled'`;

/** Checks which days of a report were pulled against what the question needs. Errors: Refused. */
async function pulledZone(
  engine: Engine,
  metric: MetricDefinition,
  reported: ReportedSource,
  table: string,
  ask: Ask,
): Promise<string | undefined> {
  const { grain, split } = storedFor(ask, reported);
  const whose = { account: ask.account, source: table };
  const pulled = await memoized(engine, `zones ${JSON.stringify(whose)}`, () =>
    engine.query(zonesPulled(engine.dialect), whose),
  );
  if (pulled.length === 0) return undefined;
  const zones = [...new Set(pulled.map((row) => String(row.timezone)))].sort();
  const zone = zones.find((candidate) => isSameZone(candidate, ask.timezone));
  if (zone === undefined)
    throw new Refused(
      'timezone',
      `“${metric.title}” exists only in the zone it was pulled in: ${zones.join(', ')}`,
      zones,
    );
  const there = pulled.filter((row) => row.timezone === zone);
  if (there.some((row) => row.grain === grain && row.split === split)) return zone;
  // A metric made of a row for each agent is not answered by rows of another split.
  const ofUse = reported.each ? there.filter((row) => row.split === reported.each) : there;
  const choices = [...new Set(ofUse.map((row) => `by ${row.grain} for each ${row.split}`))].sort();
  const hasHours = hoursOfAgents.sources.includes(table);
  const why = grain === 'hour' && split === 'agent' && hasHours ? `: ${few_agents}` : `, only ${choices.join(', ')}`;
  throw new Refused(
    grain === 'hour' ? 'grain' : 'split',
    `${metric.id} was not pulled by ${grain} for ${split === 'account' ? 'the account' : `each ${split}`}${why}`,
    choices,
  );
}

const few_agents = `hours of each agent are pulled for accounts of at most ${hoursOfAgents.most_agents} agents`;

/** Errors: Refused, if no source can answer. */
export async function sourcesFor(metric: MetricDefinition, ask: Ask, context: QueryContext): Promise<Sources> {
  const { engine } = context.snapshot;
  await assertDeclared(engine, ask);
  if (metric.archived?.businessHours) await assertBusinessHours(engine, metric, ask);
  const notGiven = { ...metric.withheld?.(ask.split, ask.filters), ...(await goallessIn(engine, metric, ask)) };
  const sources: Sources = { can: [], notGiven, ask };
  if (metric.archived) {
    sources.can.push('archived');
    sources.archive = await archiveCoverage(ask, context, metric.archived.sweep !== undefined);
    sources.ask = withinReached(metric, ask, reachedIn(sources.archive));
  }
  const { reported } = metric;
  if (!reported) return sources;
  try {
    assertShape(metric, reported, ask);
    assertReportedTo(context.reader, metric, reported, ask);
    const timezone = await pulledZone(engine, metric, reported, reported.table, ask);
    if (timezone === undefined && metric.archived)
      throw new Refused('metric', `the report ${reported.table} has not been pulled yet`);
    if (timezone !== undefined) sources.ask = { ...sources.ask, timezone };
    const stored = storedFor(ask, reported);
    sources.reports = await reportCoverage(engine, sources.ask, reported.table, stored);
    if (reported.beside)
      sources.reports = bothPulled(sources.reports, await reportCoverage(engine, sources.ask, reported.beside, stored));
    if (reported.each && !ask.split.includes(reported.each))
      sources.reports = await ofEachAgent(engine, sources.ask, sources.reports);
    sources.can.push('reported');
  } catch (error) {
    if (!(error instanceof Refused) || !metric.archived) throw error;
    for (const [name, measure] of Object.entries(metric.measures)) {
      if (!measure.needs || measure.needs.includes('reported')) notGiven[name] = error.message;
    }
  }
  return sources;
}

async function loginsIn(engine: Queryable, table: string, where: (bind: Bind) => string[]): Promise<Set<string>> {
  const bind = parameters(engine.dialect);
  const which = where(bind).join('\n  and ');
  const rows = await engine.query(`select distinct l.login from ${table} as l\nwhere ${which}`, bind.params);
  return new Set(rows.map(({ login }) => String(login)));
}

/**
 * Days on which the reports of all requested agents who still exist were pulled, with the earliest pull of each day; unchanged if none of
 * these agents has any.
 */
async function ofEachAgent(engine: Queryable, ask: Ask, all: Map<string, Coverage>): Promise<Map<string, Coverage>> {
  const { agent, group } = ask.filters;
  const gone = await loginsIn(engine, 'account.agents', (bind) => [
    `l.account = ${bind.known(ask.account, 'text')}`,
    'l.is_removed',
  ]);
  const members =
    group && (await loginsIn(engine, 'account.group_agents', (bind) => membersOnly('l.login', ask, bind)));
  const asked = [...all.keys()].filter((login) => (agent?.includes(login) ?? true) && (members?.has(login) ?? true));
  const present = asked.filter((login) => !gone.has(login));
  const counted = (present.length > 0 ? present : asked).map((login) => all.get(login) ?? []);
  if (counted.length === 0) return all;
  const days = new Map<number, PulledDay & { times: number }>();
  for (const day of counted.flat()) {
    const { times = 0, pulled = Infinity } = days.get(day.from) ?? {};
    days.set(day.from, { ...day, pulled: Math.min(pulled, day.pulled), times: times + 1 });
  }
  const whole = [...days.values()].filter(({ times }) => times === counted.length);
  return new Map([['', whole.sort((one, other) => one.from - other.from)]]);
}

/** Days on which both were pulled, with the earlier of the two pulls. */
function bothPulled(one: Map<string, Coverage>, other: Map<string, Coverage>): Map<string, Coverage> {
  const both = new Map<string, Coverage>();
  for (const [whose, days] of one) {
    const others = new Map((other.get(whose) ?? []).map((day) => [day.from, day]));
    both.set(
      whose,
      days.flatMap((day) => {
        const same = others.get(day.from);
        return same ? [{ ...day, pulled: Math.min(day.pulled, same.pulled) }] : [];
      }),
    );
  }
  return both;
}
