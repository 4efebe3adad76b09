// Queries the warehouse for a report, and refuses to treat missing data as zero.
import { reports, type ReportArgs, type ReportId } from '#contract/reports.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Grain } from '#warehouse/dialect.ts';
import type { Row } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { goallessReason } from '#warehouse/query/goalless.ts';
import { metricOfReport } from '#warehouse/definitions/used.ts';
import { isListed } from '#warehouse/read/account-lists.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { isSameZone } from '#warehouse/zone.ts';
import { BadArguments, NotPulled } from './errors.ts';
import type { AnswerPeriods } from './periods.ts';
import type { KnownSpan } from './reach.ts';
import { refuseUnstored } from './stored.ts';

/** A question about the metric that answers a report. */
interface ReportQuestion {
  id: ReportId;
  args: ReportArgs;
  grain: Grain;
  split?: string;
}

/** No group has a number this large; larger ones are not numbers to the warehouse. */
const largestNumber = 999_999_999;
const numbered = (value: number): number => Math.min(value, largestNumber);

/**
 * Rows of the known part of the requested periods; empty if nothing can be known. @throws BadArguments if the warehouse has no such
 * answer, NotPulled if a past period is missing.
 */
export async function rowsFor(
  context: QueryContext,
  reach: KnownSpan,
  periods: AnswerPeriods,
  asked: ReportQuestion,
): Promise<Row[]> {
  const { id, grain, split } = asked;
  const args = eachOnce(asked.args);
  const { id: metric, archived, reported } = metricOfReport(id);
  if (reported) refuseUnstored(id, args);
  if (!periods.known) return [];
  const question = {
    ...{ timezone: periods.zone, grain, ...periods.known },
    ...(split === undefined ? {} : { split: [split] }),
    filters: {
      ...{ group: args.groups.map(numbered), agent: args.agents, tag: args.tags },
      ...(args.goal === undefined ? {} : { goal: [numbered(args.goal)] }),
      ...(args.currency === undefined ? {} : { currency: [args.currency] }),
    },
  };
  const answer = await run(metric, question, { ...context, now: reach.now }).catch((error: unknown) => {
    throw error instanceof Refused ? new BadArguments([sentenceOf(error)]) : error;
  });
  await assertKnown(context, id, answer, args, Boolean(archived && reported));
  return answer.rows;
}

const eachOnce = (args: ReportArgs): ReportArgs => ({
  ...args,
  groups: [...new Set(args.groups)],
  agents: [...new Set(args.agents)],
  tags: [...new Set(args.tags)],
});

const argumentNames: Record<string, string> = { from: 'date_from', to: 'date_to', grain: 'group_by', split: 'request' };
const sentenceOf = ({ about, message }: Refused): string => `${argumentNames[about] ?? about}: ${message}`;

/** `isMixed`: one part is recomputed, the other stored; the stored part may be missing alone. */
async function assertKnown(
  context: QueryContext,
  id: ReportId,
  answer: QueryAnswer,
  { groups, agents }: ReportArgs,
  isMixed: boolean,
): Promise<void> {
  const missing = answer.rows.find(({ state }) => state === 'not_pulled');
  if (missing) throw new NotPulled(`${reports[id].path}: ${String(missing.period ?? answer.from)} is not pulled yet`);
  // The vendor's shape has no word for a number that is not told.
  if (answer.rows.some(({ state }) => state === 'too_few' || state === 'withheld'))
    throw new BadArguments([
      'request: figures of single agents from so few chats are not told (CHATLEDGER_AGENT_FIGURES)',
    ]);
  if (Object.values(answer.not_given ?? {}).includes(goallessReason))
    throw new NotPulled(`${reports[id].path}: ${goallessReason}`);
  const [reason] = isMixed ? Object.values(answer.not_given ?? {}) : [];
  if (reason === undefined && !answer.rows.some(({ state }) => state === 'not_given')) return;
  // Nobody's answer was pulled for a group or agent that does not exist: that is zero.
  const [kind, value] = groups[0] === undefined ? (['agent', agents[0]] as const) : (['group', groups[0]] as const);
  if (value !== undefined && !(await isListed(context, kind, String(value)))) return;
  if (reason !== undefined) {
    const isElsewhere = !isSameZone(answer.timezone, context.account.timezone);
    throw new BadArguments([
      `${isElsewhere ? 'timezone' : answer.grain === 'hour' ? 'group_by' : 'request'}: ${reason}`,
    ]);
  }
  throw new NotPulled(`${reports[id].path}: not pulled yet for ${kind} ${value}`);
}
