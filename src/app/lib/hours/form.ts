// Business hours as a form has them, and back; places of refusals in words.
import type { BusinessHoursAnswer, Weekday } from '#api/contract/business-hours.ts';
import type { Bodies } from '#api/contract/contract.ts';
import { hoursWords as words } from './words.ts';

export const weekdays = Object.keys(words.days) as Weekday[];

interface Shift {
  from: string;
  until: string;
}

export interface FormEntry {
  /** Empty: from the beginning. */
  valid_from: string;
  timezone: string;
  days: Record<Weekday, Shift[]>;
  holidays: string[];
}

/** The entries of everybody (null) or of a group. */
export interface Timeline {
  group: number | null;
  entries: FormEntry[];
}

type HoursEntry = BusinessHoursAnswer['hours'][number];

/** A field of a browser has no 24:00: midnight ends a shift as 00:00. */
const shiftIn = (text: string): Shift => {
  const [from = '', until = ''] = text.split('-');
  return { from, until: until === '24:00' ? '00:00' : until };
};
const textOf = ({ from, until }: Shift): string => `${from}-${until === '00:00' ? '24:00' : until}`;

const entryIn = ({ valid_from, timezone, week, holidays }: HoursEntry): FormEntry => ({
  ...{ valid_from: valid_from ?? '', timezone, holidays: [...holidays] },
  days: Object.fromEntries(weekdays.map((day) => [day, (week[day] ?? []).map(shiftIn)])) as FormEntry['days'],
});

export const timelinesOf = ({ hours, groups }: BusinessHoursAnswer): Timeline[] =>
  hours.length === 0
    ? []
    : [
        { group: null, entries: hours.map(entryIn) },
        ...groups.map(({ group, hours: own }) => ({ group, entries: own.map(entryIn) })),
      ];

/** What most teams have; the reader changes it. */
export const officeHours = (timezone: string): FormEntry => ({
  ...{ valid_from: '', timezone, holidays: [] },
  days: Object.fromEntries(
    weekdays.map((day) => [day, day === 'sat' || day === 'sun' ? [] : [{ from: '09:00', until: '17:00' }]]),
  ) as FormEntry['days'],
});

export const copyOf = (entry: FormEntry): FormEntry => JSON.parse(JSON.stringify(entry)) as FormEntry;

const written = ({ valid_from, timezone, days, holidays }: FormEntry) => ({
  ...{ valid_from: valid_from || null, timezone, holidays: holidays.filter(Boolean) },
  week: Object.fromEntries(weekdays.filter((day) => days[day].length > 0).map((day) => [day, days[day].map(textOf)])),
});

export const bodyOf = (timelines: readonly Timeline[]): Bodies['PUT /business-hours'] => ({
  hours: (timelines.find(({ group }) => group === null)?.entries ?? []).map(written),
  groups: timelines.flatMap(({ group, entries }) => (group === null ? [] : [{ group, hours: entries.map(written) }])),
});

/** `groups.0.hours.1.week.tue.0: two shifts overlap` as "Group Sales, entry 2, Tuesday: two shifts overlap". */
export function inWords(message: string, timelines: readonly Timeline[], nameOf: (group: number) => string): string {
  const groups = timelines.flatMap(({ group }) => (group === null ? [] : [group]));
  const told = (place: string): string => {
    const [, at, entry, field, day] =
      /^(?:groups\.(\d+)\.?)?(?:hours)?(?:\.(\d+))?(?:\.(\w+))?(?:\.([a-z]+))?/.exec(place) ?? [];
    const parts = [
      at === undefined ? words.everybody : words.group(nameOf(groups[Number(at)] ?? 0)),
      entry === undefined || Number(entry) === 0 ? '' : words.place.entry(Number(entry) + 1),
      words.days[day as Weekday] ?? (words.place as Partial<Record<string, unknown>>)[field ?? ''] ?? '',
    ];
    return parts.filter(Boolean).join(', ');
  };
  return message
    .split('; ')
    .map((part) => part.replace(/^((?:groups|hours)[\w.]*): /, (_, place: string) => `${told(place)}: `))
    .join('; ');
}
