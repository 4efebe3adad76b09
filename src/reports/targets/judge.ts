// Judges whether the days of a range met the target in force on each, using the numbers that the charts show.
import type { Row } from '#warehouse/engine.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { run } from '#warehouse/query/run.ts';
import { stretchesOf, type TargetSpan } from './in-force.ts';
import { judgedBy } from '#warehouse/definitions/used.ts';
import { targetKinds, type TargetKind } from '#warehouse/definitions/uses.ts';
import type { TargetTerms } from './target.ts';

/** A share of fewer is not judged: one chat more or less would decide. */
export const least_judged = 10;

export const verdicts = ['met', 'missed', 'too_few', 'open', 'unknown'] as const;
type TargetVerdict = (typeof verdicts)[number];

interface DayJudgement {
  day: string;
  /** The target on that day: a share, and the seconds it refers to. */
  share: number;
  seconds: number | null;
  /** Null without a value. */
  value: number | null;
  /** Denominator of the value. */
  n: number;
  verdict: TargetVerdict;
}

export interface TargetJudgement {
  kind: TargetKind;
  metric: string;
  measure: string;
  /** Whether the target is an upper limit. */
  is_most: boolean;
  /** Null: the whole account. */
  group: number | null;
  met: number;
  missed: number;
  too_few: number;
  /** Days on which a target is in force, in order. */
  days: DayJudgement[];
}

/** Days, both inclusive, in a time zone. */
export interface JudgedRange {
  from: string;
  to: string;
  timezone: string;
}

const known: ReadonlySet<unknown> = new Set(['complete', 'settling']);
/** Shares are quotients: nine of ten meet 90 %. */
const grain = 1e-9;

export function verdictOf(
  state: unknown,
  value: number | null,
  n: number,
  wanted: { share: number; isMost?: boolean | undefined },
): TargetVerdict {
  if (state === 'open') return 'open';
  if (!known.has(state)) return 'unknown';
  if (n < least_judged) return 'too_few';
  if (value === null) return 'unknown';
  const isMet = wanted.isMost ? value <= wanted.share + grain : value >= wanted.share - grain;
  return isMet ? 'met' : 'missed';
}

const byDay = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [String(row.period), row]));
const numberIn = (row: Row | undefined, name: string): number | null => {
  const value = row?.[name];
  return value === null || value === undefined ? null : Number(value);
};

async function daysOf(
  kind: TargetKind,
  { from, to, target }: TargetSpan<TargetTerms>,
  { timezone }: JudgedRange,
  group: number | null,
  context: QueryContext,
): Promise<DayJudgement[]> {
  const { metric, measure, basis, isMost, hasSeconds } = judgedBy(kind);
  const filters = group === null ? {} : { group: [group] };
  const question = { ...{ from, to, timezone, filters }, grain: 'day', split: [] };
  const of = async (id: string) =>
    byDay((await run(id, { ...question, ...(hasSeconds && id === metric ? withSeconds(target) : {}) }, context)).rows);
  const judged = await of(metric);
  const counted = basis.metric === metric ? judged : await of(basis.metric);
  return [...judged].map(([day, row]) => {
    const [value, n] = [numberIn(row, measure), numberIn(counted.get(day), basis.measure) ?? 0];
    const { share, seconds } = target;
    return { day, share, seconds, value, n, verdict: verdictOf(row.state, value, n, { share, isMost }) };
  });
}

const withSeconds = ({ seconds }: TargetTerms): { target?: number } => (seconds === null ? {} : { target: seconds });

/** For the whole account (null) or a group: one entry per number with a target in the range. Errors: Refused. */
export async function judgedTargets(
  all: readonly TargetTerms[],
  range: JudgedRange,
  group: number | null,
  context: QueryContext,
): Promise<TargetJudgement[]> {
  const judged = await Promise.all(
    targetKinds.map(async (kind) => {
      const stretches = stretchesOf(all, kind, group, range);
      const days = (await Promise.all(stretches.map((it) => daysOf(kind, it, range, group, context)))).flat();
      const count = (verdict: TargetVerdict): number => days.filter((it) => it.verdict === verdict).length;
      const { metric, measure, isMost = false } = judgedBy(kind);
      const about = { kind, metric, measure, is_most: isMost, group };
      return { ...about, met: count('met'), missed: count('missed'), too_few: count('too_few'), days };
    }),
  );
  return judged.filter(({ days }) => days.length > 0);
}
