// An agent's figures next to the team's range: all agents whom the reader sees and who have enough chats under the same filters.
import { everyChat, metricOf } from '#warehouse/definitions/metrics.ts';
import { teamFigures, type TeamFigureMeasure } from '#warehouse/definitions/used.ts';
import { Refused } from '#warehouse/errors.ts';
import { askOf, type AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { range } from '#warehouse/periods.ts';
import { bandOf, type TeamBand } from './band.ts';

/** Whoever has fewer chats (of ratings: ratings) is not among the colleagues. */
export const least_basis = 10;

export const whyNoBand = ['too_few', 'not_pulled', 'not_given'] as const;

interface FigureOfTeam {
  metric: string;
  measure: string;
  unit: string;
  is_sum: boolean;
  /** Colleagues with enough to be compared; the agent is not among them. */
  colleagues: number;
  /** Null, with a reason, if there is none. */
  band: TeamBand | null;
  why_not: (typeof whyNoBand)[number] | null;
  /** Why `not_given` numbers have no answer here. */
  reason?: string;
}

interface TeamBands {
  from: string;
  to: string;
  timezone: string;
  /** How many of them are over, the running one in part. */
  days: number;
  figures: FigureOfTeam[];
}

/** `agent`: whose colleagues; `wanted` holds dates, zone and filters. Errors: Refused, Cancelled. */
export async function teamOf(agent: string, wanted: AskInput, context: QueryContext): Promise<TeamBands> {
  const question: AskInput = { ...wanted, grain: 'total', split: ['agent'], compare: undefined };
  // This question runs first because it is refused to readers who may see no colleague.
  const { from, to, timezone } = askOf(everyChat, question, context);
  const metrics = [...new Set(teamFigures.flatMap(({ metric, basis }) => [metric, basis.metric]))];
  const answers = new Map(
    await Promise.all(metrics.map(async (metric) => [metric, await answerOr(metric, question, context)] as const)),
  );
  const real = range(timezone, from, to);
  const days = Math.max(0, Math.min(real.until, context.now) - real.from) / 86_400;
  return { from, to, timezone, days, figures: teamFigures.map((figure) => besideTeam(figure, agent, answers)) };
}

/** Refusals of metrics that cannot be split by agent, under these filters or for this reader. */
async function answerOr(
  metric: string,
  question: AskInput,
  context: QueryContext,
): Promise<QueryAnswer | { refused: string }> {
  try {
    return await run(metric, question, context);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

function besideTeam(
  { metric, measure, basis, isSum }: TeamFigureMeasure,
  agent: string,
  answers: ReadonlyMap<string, QueryAnswer | { refused: string }>,
): FigureOfTeam {
  const about = { metric, measure, unit: metricOf(metric).measures[measure]?.unit ?? '', is_sum: isSum };
  const none = (why_not: FigureOfTeam['why_not'], colleagues = 0): FigureOfTeam => ({
    ...{ ...about, colleagues, band: null, why_not },
  });
  const [answer, resting] = [answers.get(metric), answers.get(basis.metric)];
  if (!answer || !resting) throw new Error(`${metric} and ${basis.metric} were not asked`);
  if ('refused' in answer) return { ...none('not_given'), reason: answer.refused };
  if ('refused' in resting) return { ...none('not_given'), reason: resting.refused };
  const reason = answer.not_given?.[measure];
  if (reason !== undefined) return { ...none('not_given'), reason };
  if (answer.rows.some(({ state }) => state === 'not_pulled')) return none('not_pulled');
  const bases = byAgent(resting, basis.measure);
  const values = [...byAgent(answer, measure)]
    .filter(([login]) => login !== agent && (bases.get(login) ?? 0) >= least_basis)
    .map(([, value]) => value);
  const band = bandOf(values);
  return band ? { ...about, colleagues: values.length, band, why_not: null } : none('too_few', values.length);
}

/** The figures of an answer by agent: login -> number. */
function byAgent({ rows }: QueryAnswer, measure: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const { agent, [measure]: value } of rows)
    if (value !== null && value !== undefined) found.set(String(agent), Number(value));
  return found;
}
