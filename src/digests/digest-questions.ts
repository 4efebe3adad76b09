// Asks the questions of a digest: one snapshot, one period, the filters of the digest and the rows that the reader may see.
import { withoutFuture, type Answer } from '#dashboards/answer.ts';
import type { Grain, Panel, Span } from '#dashboards/panel.ts';
import { grainIn, type ComparisonKind } from '#dashboards/panel-queries.ts';
import type { Question } from '#dashboards/questions.ts';
import { asChoice } from '#dashboards/refusals.ts';
import { secondsInForce } from '#reports/targets/in-force.ts';
import { judgedTargets, type TargetJudgement } from '#reports/targets/judge.ts';
import { isSeen, targetsOf } from '#reports/targets/scope.ts';
import type { TargetTerms } from '#reports/targets/target.ts';
import { allFigures, readerUnder } from '#warehouse/query/agent-figures.ts';
import {
  contextWhenPublished,
  type WarehouseAccount,
  type QueryContext,
  type Snapshot,
} from '#warehouse/query/context.ts';
import { Refused } from '#warehouse/errors.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { defaultSettlingDays } from '#warehouse/ledger/pulls.ts';
import { clockAt, dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import type { DigestDeps } from './deps.ts';
import type { Digest, DigestReader } from './digest.ts';
import type { DigestPeriod } from './periods.ts';

/** The part of a digest's rows that one document is about. */
export interface Scope {
  period: DigestPeriod;
  timezone: string;
  filters: Digest['filters'];
  /** Seconds that a reader chose on a page; otherwise those of the targets. */
  target?: number | undefined;
  /** What numbers are compared with; by default the period before. */
  compare?: ComparisonKind | undefined;
  /** That a reader chose on a page; otherwise that of the number of days. */
  grain?: Grain | undefined;
}

/** An answer with the version of its metric's definition, or why there is none. */
export type QuestionResult =
  | { kind: 'answered'; answer: Answer & { version: number } }
  | { kind: 'refused'; message: string };

interface MetricQuestion {
  metric: string;
  split?: readonly string[];
  grain: 'asked' | 'total' | 'hour';
  /** Of the panel that asks. */
  of?: Panel;
  compare?: Question['compare'];
  /** Other days than those of the period. */
  span?: Span;
}

export interface DigestQuestions {
  context: QueryContext;
  scope: Scope;
  /** The requested groups: those of the filter that the reader may see. Empty: all. */
  groups: readonly number[];
  ask(question: MetricQuestion): Promise<QuestionResult>;
  /** The days of the period against the targets in force on them. */
  judged: readonly TargetJudgement[];
  /** Days after its end during which the period may still change. */
  settlingDays: number;
}

/** The reader may see nothing of the digest's content: there is nothing to send. */
export class NothingToSee extends Error {
  override readonly name = 'NothingToSee';
  constructor(why = 'the reader may see none of the groups that this digest is narrowed to') {
    super(why);
  }
}

/** Both lists narrow; an empty one does not. Errors: NothingToSee. */
function visibleGroups(filter: readonly number[], allowed: readonly number[] | undefined): readonly number[] {
  if (allowed === undefined) return filter;
  const both = filter.length > 0 ? filter.filter((group) => allowed.includes(group)) : allowed;
  if (both.length === 0) throw new NothingToSee();
  return both;
}

const coarseness: readonly Grain[] = ['hour', 'day', 'week', 'month'];

/** The chosen grain or that which a page would use for this many days, or the next coarser one that the metric has. */
export function grainOf({ from, to }: DigestPeriod, metric: string, chosen?: Grain): Grain {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  const wanted = chosen ?? (days <= 2 ? 'hour' : days <= 92 ? 'day' : days <= 400 ? 'week' : 'month');
  const { grains } = metricOf(metric);
  return coarseness.slice(coarseness.indexOf(wanted)).find((grain) => grains.includes(grain)) ?? wanted;
}

/** Readers know titles of metrics, not their ids, and no parameters. */
const inTitles = (text: string): string =>
  asChoice(text).replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (id) => {
    const found = metrics.find((metric) => metric.id === id);
    return found ? `“${found.title}”` : id;
  });

const spans: Partial<Record<Span, number>> = { week: 7, four_weeks: 28 };

/** The last days up to the end of the period, for panels with a fixed span. */
function firstDay({ from, to }: DigestPeriod, span: Span | undefined): string {
  const days = span && spans[span];
  return days === undefined ? from : dateOf(dayNumber(to) - days + 1);
}

/** Documents use the instant of the snapshot's publication, so that one snapshot always gives the same document. */
export const documentContext = (reader: Reader, snapshot: Snapshot, account: WarehouseAccount): Promise<QueryContext> =>
  contextWhenPublished(reader, snapshot, account);

/**
 * The reader of a digest as one who asks: of the rows of his groups, as agreed of single agents, and of no more than he may see
 * himself who signs in with that address. Errors: NothingToSee.
 */
export function askerFor(
  { agentFigures = allFigures, userAt }: Pick<DigestDeps, 'agentFigures' | 'userAt'>,
  { name, address, groups: chosen }: DigestReader,
  account: Pick<WarehouseAccount, 'id'>,
): Reader {
  const id = `digest reader ${name}`;
  const user = address === undefined ? undefined : userAt?.(address);
  if (user?.kind === 'former') throw new NothingToSee('the reader had a login with this address, and has it no more');
  const rows = user?.kind === 'user' ? user.reader.rows : undefined;
  if (rows?.accounts && !rows.accounts.includes(account.id))
    throw new NothingToSee('the reader may not see the account that this digest is about');
  const groups = visibleGroups(chosen ?? [], rows?.groups);
  const rule = { ...rows, ...(groups.length > 0 ? { groups } : {}) };
  return readerUnder(agentFigures, { id, ...(Object.keys(rule).length > 0 ? { rows: rule } : {}) });
}

/** Days after its end during which a period may still change. */
export const settlingDaysOf = ({ settling }: Pick<QueryContext, 'settling'>): number =>
  Math.max(defaultSettlingDays, ...[...settling.values()].map(({ days }) => days));

/** Each question is asked once. `targets`: those of the account, including history. Errors: NothingToSee. */
export async function digestQuestions(
  context: QueryContext,
  scope: Scope,
  targets: readonly TargetTerms[] = [],
): Promise<DigestQuestions> {
  const { reader } = context;
  const { period, timezone, filters, compare: compared = 'previous' } = scope;
  const groups = visibleGroups(filters.group, reader.rows?.groups);
  const of = targetsOf(reader, filters);
  const hour = String(Math.floor(clockAt(timezone, context.now) / 3600)).padStart(2, '0');
  const reached = `${localDate(timezone, context.now)} ${hour}:00`;
  const seen = targets.filter(({ group }) => isSeen(reader, group));
  const secondsFor = (metric: string): number | undefined =>
    metricOf(metric).target === undefined
      ? undefined
      : (scope.target ?? secondsInForce(seen, metric, of ?? null, period.to));
  const asked = new Map<string, Promise<QuestionResult>>();
  const grainAsked = ({ metric, grain, of }: MetricQuestion): Grain => {
    if (grain !== 'asked') return grain;
    const { grain: chosen } = scope;
    return grainOf(period, metric, chosen && of ? grainIn(of, { ...period, grain: chosen }) : chosen);
  };
  const put = async (question: MetricQuestion): Promise<QuestionResult> => {
    const { metric, split = [], compare, span } = question;
    const wanted = {
      from: firstDay(period, span),
      to: period.to,
      timezone,
      grain: grainAsked(question),
      ...{ split, filters: { group: groups, agent: filters.agent, tag: filters.tag, variable: filters.variable } },
      ...(compare && compared !== 'none' ? { compare: compared } : {}),
      target: secondsFor(metric),
    };
    try {
      const answer = await run(metric, wanted, context);
      return {
        kind: 'answered',
        answer: { ...withoutFuture(answer as unknown as Answer, reached), version: answer.version },
      };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', message: inTitles(error.message) };
      throw error;
    }
  };
  return {
    context,
    scope,
    groups,
    judged: of === undefined ? [] : await judgedTargets(targets, { ...period, timezone }, of, context),
    settlingDays: settlingDaysOf(context),
    ask(question) {
      const { metric, split = [], compare = false, span = null } = question;
      const key = JSON.stringify([metric, split, grainAsked(question), compare, span]);
      let answer = asked.get(key);
      if (!answer) asked.set(key, (answer = put(question)));
      return answer;
    },
  };
}
