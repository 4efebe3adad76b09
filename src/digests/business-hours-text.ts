// The business hours that a document counts in, as text, as its snapshot has them: "Mon–Fri 09:00–17:00, Europe/Warsaw".
import type { NamesBySplit } from '#dashboards/names.ts';
import { dayName, weekdayNames } from '#dashboards/periods.ts';
import type { HoursFrom } from '#warehouse/business-hours.ts';
import { weekdays } from '#warehouse/periods.ts';
import { businessHoursIn } from '#warehouse/query/file-hours.ts';
import type { DigestQuestions } from './digest-questions.ts';
import { words } from './words.ts';

/** Consecutive days with the same shifts are combined. */
function weekTold({ week }: HoursFrom, locale: string): string {
  const days = weekdays.map((name) => (week[name] ?? []).join(', ').replaceAll('-', '–'));
  const daysNamed = weekdayNames(locale);
  const told: string[] = [];
  for (let first = 0; first < days.length; first += 1) {
    const shifts = days[first] ?? '';
    let last = first;
    while (last + 1 < days.length && days[last + 1] === shifts) last += 1;
    const names = first === last ? [first] : [first, last];
    if (shifts) told.push(`${names.map((at) => daysNamed[at]).join('–')} ${shifts}`);
    first = last;
  }
  return told.join('; ');
}

/** Undefined: all hours count. */
export async function businessHoursText(
  { context, scope }: DigestQuestions,
  names: NamesBySplit,
  locale: string,
): Promise<string | undefined> {
  if (scope.filters.hours === undefined) return undefined;
  const { hours, groups } = await businessHoursIn(context.snapshot.engine, context.account.id);
  const { from, to } = scope.period;
  const entry = hours.findLast(({ valid_from }) => valid_from === null || valid_from <= to);
  if (!entry) return words.hours.in(words.hours.none);
  const own = groups.map(({ group }) => names['group']?.[String(group)] ?? String(group)).join(', ');
  return words.hours.in(
    [
      `${weekTold(entry, locale)}, ${entry.timezone}`,
      ...(entry.valid_from !== null && entry.valid_from > from
        ? [words.hours.before(dayName(entry.valid_from, locale, true))]
        : []),
      ...(own ? [groups.length > 1 ? words.hours.ofSeveral(own) : words.hours.ofGroups(own)] : []),
    ].join('; '),
  );
}
