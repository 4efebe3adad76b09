// Targets as a panel shows them: what was wanted of its number on each day, and on how many days it was met.
import { say, sayShort } from './numbers.ts';
import type { Panel } from './panel.ts';
import { dayName } from './periods.ts';
import { targetWords as words } from './target-words.ts';

export type DayVerdict = 'met' | 'missed' | 'too_few' | 'open' | 'unknown';

export interface TargetDay {
  day: string;
  /** What was wanted, 0 to 1. */
  share: number;
  /** Within how many seconds, of a metric that is measured against some. */
  seconds: number | null;
  verdict: DayVerdict;
}

/** The days of a range against the target of one number, as the API judges them. */
export interface TargetResult {
  metric: string;
  measure: string;
  /** At most so much is wanted, not at least. */
  is_most: boolean;
  met: number;
  missed: number;
  too_few: number;
  /** Those on which a target is in force, in order. */
  days: TargetDay[];
}

/** The target of the number that a panel shows; none of one that is split. */
export function targetOf(
  { picture, metric, measures, split = [] }: Panel,
  judged: readonly TargetResult[] = [],
): TargetResult | undefined {
  if (split.length > 0 || (picture !== 'lines' && picture !== 'tile')) return undefined;
  const [first] = measures;
  return judged.find((it) => it.metric === (first?.metric ?? metric) && it.measure === first?.measure);
}

/** Of days whose target counts within the seconds that are shown: others are about another number. */
export function shownDays({ days }: TargetResult, seconds: number | undefined): TargetDay[] {
  return days.filter((it) => it.seconds === null || it.seconds === seconds);
}

const count = (days: readonly TargetDay[], verdict: DayVerdict): number =>
  days.filter((it) => it.verdict === verdict).length;

/** "met on 18 of 26 days". */
export function metOn(days: readonly TargetDay[]): string {
  const met = count(days, 'met');
  return words.met(met, met + count(days, 'missed'));
}

/** What is wanted, since when where it changed, on how many days it was met, and which are not judged. */
export function targetSentence(judged: TargetResult, seconds: number | undefined, locale: string): string {
  const days = shownDays(judged, seconds);
  const share = (value: number): string => sayShort(value, 'share', locale);
  const last = judged.days.at(-1);
  if (!days.length)
    return last?.seconds == null || seconds === undefined
      ? ''
      : words.otherSeconds(say(last.seconds, 'seconds', locale), say(seconds, 'seconds', locale));
  const changes = days.filter((it, at) => at > 0 && it.share !== days[at - 1]?.share);
  const wanted = [
    words.wanted(judged.is_most, share(days[0]?.share ?? 0)),
    ...changes.map((it) => words.from(share(it.share), dayName(it.day, locale))),
  ].join(', ');
  const few = count(days, 'too_few');
  return [`${wanted}: ${metOn(days)}.`, ...(few ? [words.fewDays(few)] : [])].join(' ');
}

/** The same for a tile, where there is little room; undefined where no target is in force. */
export function targetOfTile(panel: Panel, judged: readonly TargetResult[] | undefined, locale: string) {
  const found = targetOf(panel, judged);
  const last = found?.days.at(-1);
  if (!found || !last || last.seconds !== null) return undefined;
  return `${words.wanted(found.is_most, sayShort(last.share, 'share', locale))}: ${metOn(found.days)}`;
}
