// What the panels define about a measure: unit and name, which direction is good, the count behind it, and how it can be decomposed.
import { dashboards } from '../dashboards.ts';
import type { Measure, Panel, Unit } from '../panel.ts';
import type { Scattering } from './stands-out.ts';

/** A metric as the catalogue lists it. */
export interface Catalogued {
  id: string;
  title: string;
  kind: string;
  measures: Record<string, { title: string; unit: string }>;
  splits: readonly string[];
  filters: readonly string[];
  adds_up_by: readonly string[];
  target?: number | undefined;
}

export interface Measured extends Pick<Panel, 'better' | 'basis' | 'isLate'> {
  measure: string;
  label: string;
  unit: Unit;
  /** The measure that is divided among groups, agents, tags and hours. */
  divided?: Measure & { unit: Unit };
  /** Periods of it add up: several are compared with by how much it was in one of them. */
  isSum: boolean;
  /** How its periods vary; for shares only if the denominator is unknown. */
  scattering: Scattering;
  /** Currency of sums of money. */
  currency: string;
  /** Which chats are shown first: those that worsen the number. */
  worst: 'largest' | 'smallest' | 'started';
}

const units: readonly Unit[] = ['seconds', 'hours', 'share', 'score', 'money'];
const unitOf = (unit: string | undefined): Unit => units.find((it) => it === unit) ?? 'count';

/** Its name on the first panel that is about it, else in the catalogue. */
function labelOf({ id, measures }: Catalogued, measure: string): string {
  const named = panelsOf(id).find(({ measures: [first] }) => first?.measure === measure)?.measures[0];
  return named?.label ?? measures[measure]?.title.toLocaleLowerCase('en') ?? measure;
}

export function measuredOf(metric: Catalogued, measure: string, currency = ''): Measured {
  const shown = panelsOf(metric.id).filter(({ measures: [first] }) => first?.measure === measure);
  const unit = unitOf(metric.measures[measure]?.unit);
  const label = labelOf(metric, measure);
  const better = shown.map((it) => it.better).find(Boolean);
  const basis = shown.flatMap((it) => it.basis ?? [])[0];
  const adds = sums.includes(unit) || (unit === 'hours' && !basis);
  const isSum = adds && metric.adds_up_by.length > 0;
  const labelled = currency ? `${label} in ${currency}` : label;
  const divided = isSum ? { measure, label: labelled, unit } : dividedOf(metric, { measure, label, unit }, basis);
  return {
    ...{ measure, label, unit, isSum, currency },
    ...(better ? { better } : {}),
    ...(basis ? { basis } : {}),
    ...(shown.some(({ isLate }) => isLate) ? { isLate: true } : {}),
    ...(divided ? { divided } : {}),
    scattering: scatteringOf(unit, isSum),
    worst: worstOf(unit, better),
  };
}

const panelsOf = (metric: string): Panel[] =>
  dashboards.flatMap(({ panels }) => panels).filter((panel) => panel.metric === metric);

function scatteringOf(unit: Unit, isSum: boolean): Scattering {
  if (unit === 'seconds' || (unit === 'hours' && !isSum)) return 'time';
  if (unit === 'money') return 'money';
  return unit === 'share' || unit === 'score' ? 'share' : 'count';
}

/** For shares, a chat contributes one or nothing; of one that is neither good nor bad, such as occupancy, no chat is worse than another. */
function worstOf(unit: Unit, better: Measured['better']): Measured['worst'] {
  if (unit === 'seconds' || unit === 'hours') return 'largest';
  if (unit === 'share' || unit === 'score') return !better ? 'started' : better === 'less' ? 'largest' : 'smallest';
  return unit === 'money' ? 'largest' : 'started';
}

const sums: readonly Unit[] = ['count', 'money'];

/** The mean or share, with its weight. A percentile cannot be decomposed, but its mean can. */
function dividedOf(
  metric: Catalogued,
  { measure, label, unit }: { measure: string; label: string; unit: Unit },
  basis: Panel['basis'],
): Measured['divided'] {
  if (metric.adds_up_by.length === 0) return undefined;
  const weights = panelsOf(metric.id).flatMap(({ measures }) => measures.filter((it) => it.weight !== undefined));
  const own = weights.find((it) => it.measure === measure);
  if (own) return { ...own, unit };
  const all = basis?.measure;
  const [, of] = /^(.*)p\d+$/.exec(measure) ?? [];
  if (of !== undefined) {
    const mean = [`${of}average`, `${of}seconds`].find((name) => metric.measures[name]);
    return mean === undefined || all === undefined
      ? undefined
      : { measure: mean, label: weights.find((it) => it.measure === mean)?.label ?? 'mean', weight: all, unit };
  }
  return all === undefined ? undefined : { measure, label, weight: all, unit };
}
