// Targets as a panel shows them: the target of its number on each day, and how many days met it.
import { say, sayShort } from './numbers.ts';
import type { Panel } from './panel.ts';
import { dayName } from './periods.ts';
import { targetWords as words } from './target-words.ts';

export type DayVerdict = 'met' | 'missed' | 'too_few' | 'open' | 'unknown';

export interface TargetDay {
  day: string;
  /** The target, 0 to 1. */
  share: number;
  /** Within how many seconds, of a metric that is measured against some. */
  seconds: number | null;
  verdict: DayVerdict;
}

/** The days of a range against the target of one number, as the API judges them. */
export interface TargetResult {
  metric: string;
  measure: string;
  /** Whether the target is an upper limit. */
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

/** Days whose target uses the shown time limit; others concern a different number. */
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

/** The target, the date of its last change, how many days met it, and which are not judged. */
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

/** The same for a tile, which has little room; undefined without a target in force. */
export function targetOfTile(panel: Panel, judged: readonly TargetResult[] | undefined, locale: string) {
  const found = targetOf(panel, judged);
  const last = found?.days.at(-1);
  if (!found || !last || last.seconds !== null) return undefined;
  return `${words.wanted(found.is_most, sayShort(last.share, 'share', locale))}: ${metOn(found.days)}`;
}
