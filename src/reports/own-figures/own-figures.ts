// An agent's own figures next to those of colleagues in the agent's groups, without names. The only question that reaches beyond the
// agent's row rule: nothing but the days can be chosen.
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { ownFigures, type OwnFigureMeasure } from '#warehouse/definitions/used.ts';
import type { OwnFigureId } from '#warehouse/definitions/uses.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { groupsOfAgent } from '#warehouse/read/groups-of-agent.ts';
import { circlesOf, type Circle } from './circles.ts';
import { quartilesOf, type Quartiles } from './quartiles.ts';
import type { FigureDays } from './range.ts';

/** Agents with fewer chats (for ratings: ratings) in the groups do not count as colleagues. */
export const least_basis = 10;

interface FigureBeside {
  id: OwnFigureId;
  metric: string;
  measure: string;
  unit: string;
  /** Null without a figure. */
  own: number | null;
  /** The basis of the agent's own figure: chats or ratings. */
  own_basis: number;
  /** Colleagues with enough to be compared. */
  colleagues: number;
  /** Null, with a reason, if they would reveal single colleagues. */
  quartiles: Quartiles | null;
  why_not: 'too_few' | 'too_close' | 'not_pulled' | null;
}

interface CircleBeside {
  groups: { id: number; name: string }[];
  figures: FigureBeside[];
}

interface WantedOwnFigures {
  login: string;
  days: FigureDays;
  /** Groups that the row rule leaves; undefined: all. */
  allowed?: readonly number[] | undefined;
  /** Minimum basis of a colleague's figure. */
  least: number;
}

/** `everybody` is a context without a row rule. Errors: Refused. */
export async function ownFiguresOf(wanted: WantedOwnFigures, everybody: QueryContext): Promise<CircleBeside[]> {
  const { login, days, allowed, least } = wanted;
  const groups = (await groupsOfAgent(everybody, login)).filter(({ id }) => allowed?.includes(id) ?? true);
  const metrics = [...new Set(ownFigures.flatMap(({ metric, basis }) => [metric, basis.metric]))];
  return Promise.all(
    circlesOf(login, groups).map(async (circle) => {
      const filters = { group: circle.groups.map(({ id }) => id) };
      const question = { ...days, timezone: everybody.account.timezone, grain: 'total', split: ['agent'], filters };
      const answers = new Map(
        await Promise.all(metrics.map(async (metric) => [metric, await run(metric, question, everybody)] as const)),
      );
      return {
        groups: circle.groups.map(({ id, name }) => ({ id, name })),
        figures: ownFigures.map((figure) => besideOthers(figure, answers, circle, login, least)),
      };
    }),
  );
}

/** The figures of an answer by agent: login -> number. */
function byAgent(answer: QueryAnswer | undefined, measure: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const { agent, [measure]: value } of answer?.rows ?? [])
    if (value !== null && value !== undefined) found.set(String(agent), Number(value));
  return found;
}

function besideOthers(
  { id, metric, measure, basis }: OwnFigureMeasure,
  answers: ReadonlyMap<string, QueryAnswer>,
  circle: Circle,
  login: string,
  least: number,
): FigureBeside {
  const values = byAgent(answers.get(metric), measure);
  const bases = byAgent(answers.get(basis.metric), basis.measure);
  const colleagues = circle.colleagues.flatMap((colleague) => {
    const value = values.get(colleague);
    return value === undefined || (bases.get(colleague) ?? 0) < least ? [] : [value];
  });
  const isPulled = !answers.get(metric)?.rows.some(({ state }) => state === 'not_pulled');
  const compared = isPulled ? quartilesOf(colleagues) : ({ kind: 'not_pulled' } as const);
  return {
    ...{ id, metric, measure, unit: metricOf(metric).measures[measure]?.unit ?? '' },
    ...{ own: values.get(login) ?? null, own_basis: bases.get(login) ?? 0, colleagues: colleagues.length },
    ...(compared.kind === 'quartiles'
      ? { quartiles: compared.quartiles, why_not: null }
      : { quartiles: null, why_not: compared.kind }),
  };
}
