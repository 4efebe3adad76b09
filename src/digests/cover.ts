// The line on the cover: which period, zone and filters, how fresh, by which definitions, from which snapshot.
import type { NamesBySplit } from '#dashboards/names.ts';
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { dayName } from '#dashboards/periods.ts';
import type { DigestQuestions } from './digest-questions.ts';
import type { DocumentOrder } from './document.ts';
import type { DigestPeriod } from './periods.ts';
import { words } from './words.ts';

export interface Cover {
  /** The period in words: "2 Nov to 8 Nov 2026". */
  period: string;
  label: string;
  reader?: string;
  zone: string;
  filters: string;
  freshness: string;
  settles: string;
  snapshot: string;
  versions: string;
}

/** A period in words, without its weekdays. */
export function periodWords({ from, to, label, kind }: DigestPeriod, locale: string): string {
  const whole =
    from === to
      ? dayName(from, locale, true)
      : `${dayName(from, locale, from.slice(0, 4) !== to.slice(0, 4))} to ${dayName(to, locale, true)}`;
  if (kind === 'week') return `Week ${Number(label.slice(-2))}, ${whole}`;
  if (kind === 'quarter') return `${label.slice(5)} ${label.slice(0, 4)}, ${whole}`;
  return whole;
}

/** An instant in a zone: "Sat 21 Nov 2026, 21:05". */
export function instantWords(iso: string, zone: string, locale: string): string {
  const options = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', timeZone: zone }).format(new Date(iso));
}

/** `count` of definitions; `hours` that count, in words; `isPulled`: each day of the period is there. */
interface CoverInputs {
  names: NamesBySplit;
  count: number;
  hours: string | undefined;
  isPulled: boolean;
}

type AskedAbout = Pick<DigestQuestions, 'scope' | 'context' | 'settlingDays'>;
type CoverOrder = Pick<DocumentOrder, 'language' | 'length' | 'reader'>;

export function coverOf(asking: AskedAbout, order: CoverOrder, { names, count, hours, isPulled }: CoverInputs): Cover {
  const { scope, context, settlingDays } = asking;
  const { snapshot } = context;
  const { period, timezone } = scope;
  const until = dateOf(dayNumber(period.to) + settlingDays);
  const isSettled = Date.parse(snapshot.published_at) >= (dayNumber(until) + 1) * 86_400_000;
  return {
    period: periodWords(period, order.language),
    label: period.label,
    ...(order.reader === undefined ? {} : { reader: words.for(order.reader) }),
    zone: timezone,
    filters: filterWords(asking, names, hours) || words.everything,
    freshness: instantWords(snapshot.published_at, timezone, order.language),
    settles: !isPulled
      ? words.unpulled
      : isSettled
        ? words.settled
        : words.settling(dayName(until, order.language, true)),
    snapshot: context.account.simulated ? `${snapshot.id} (${words.simulated})` : snapshot.id,
    versions:
      order.length === undefined || order.length === 'full' ? words.allVersions(count) : words.versionsElsewhere(count),
  };
}

function filterWords(
  { scope: { filters }, context }: AskedAbout,
  names: NamesBySplit,
  hours: string | undefined,
): string {
  const { groups, agent } = context.reader.rows ?? {};
  const named = (kind: string, keys: readonly (string | number)[]): string =>
    keys.map((key) => names[kind]?.[String(key)] ?? String(key)).join(', ');
  return [
    ...(filters.group.length > 0 ? [words.filter.group(named('group', filters.group))] : []),
    ...(filters.agent.length > 0 ? [words.filter.agent(named('agent', filters.agent))] : []),
    ...(filters.tag.length > 0 ? [words.filter.tag(filters.tag.join(', '))] : []),
    ...[
      ...Map.groupBy(
        filters.variable.flatMap((text) => chosenOf(text) ?? []),
        ({ variable }) => variable,
      ),
    ].map(([id, each]) => words.filter.variable(named('variable', [id]), each.map(({ value }) => value).join(', '))),
    ...(groups === undefined ? [] : [words.filter.reader(named('group', groups))]),
    ...(agent === undefined ? [] : [words.filter.own(named('agent', [agent]))]),
    ...(hours === undefined ? [] : [hours]),
  ].join('; ');
}
