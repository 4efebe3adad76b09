// The range of an agent's colleagues in a panel: its number, its periods, and its description.
import { say, sayShort } from './numbers.ts';
import type { Panel, Unit } from './panel.ts';
import { daysOf } from './periods.ts';
import { teamWords as words } from './team-words.ts';

interface QuartileBand {
  p25: number;
  median: number;
  p75: number;
}

/** One number of the team over a range, as the API tells it. */
export interface TeamFigure {
  metric: string;
  measure: string;
  is_sum: boolean;
  colleagues: number;
  band: QuartileBand | null;
  why_not: 'too_few' | 'not_pulled' | 'not_given' | null;
  reason?: string | undefined;
}

export interface TeamFigures {
  from: string;
  to: string;
  /** Days that are over, the running one in part. */
  days: number;
  least_colleagues: number;
  least_basis: number;
  figures: TeamFigure[];
}

const pictures: readonly string[] = ['tile', 'lines', 'bars'];

/** The figure of the panel's number; undefined for split panels. */
export function figureOf(
  { picture, metric, measures, split = [] }: Panel,
  { figures }: TeamFigures,
): TeamFigure | undefined {
  if (split.length > 0 || !pictures.includes(picture)) return undefined;
  const [first] = measures;
  return figures.find((it) => it.metric === (first?.metric ?? metric) && it.measure === first?.measure);
}

const scaled = ({ p25, median, p75 }: QuartileBand, by: number): QuartileBand => ({
  ...{ p25: p25 * by, median: median * by, p75: p75 * by },
});

const DAY = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;

/** The band at each period. For additive numbers it is prorated by the days of a week or month, since nobody works every day. */
export function bandsAt(
  { band, is_sum }: TeamFigure,
  labels: readonly string[],
  team: TeamFigures,
): (QuartileBand | null)[] {
  if (!band) return labels.map(() => null);
  if (!is_sum) return labels.map(() => band);
  return labels.map((label) => {
    if (!/^\d{4}-(?:W\d\d|\d\d)$/.test(label) || team.days <= 0) return null;
    const days = daysOf(label, label);
    const [from, to] = [days.from < team.from ? team.from : days.from, days.to > team.to ? team.to : days.to];
    return scaled(band, Math.max(0, numberOf(to) - numberOf(from) + 1) / team.days);
  });
}

/** The range of half of the colleagues, or why it is not shown. */
export function teamSentence(figure: TeamFigure, unit: Unit, team: TeamFigures, locale: string): string {
  if (!figure.band) return words.whyNot[figure.why_not ?? 'too_few']({ ...team, ...figure });
  const { p25, median, p75 } = figure.band;
  const whole = (value: number): number => (unit === 'count' ? Math.round(value) : value);
  const short = (value: number): string => sayShort(whole(value), unit, locale);
  return words.half(figure.colleagues, short(p25), short(p75), say(whole(median), unit, locale), figure.is_sum);
}

/** The same for a tile, which has little room. */
export function teamOfTile(panel: Panel, team: TeamFigures, locale: string): string | undefined {
  const figure = figureOf(panel, team);
  if (!figure) return undefined;
  if (!figure.band) return words.whyNotShort[figure.why_not ?? 'too_few'];
  const short = (value: number): string =>
    sayShort(panel.unit === 'count' ? Math.round(value) : value, panel.unit, locale);
  return words.tile(short(figure.band.p25), short(figure.band.p75), short(figure.band.median));
}
