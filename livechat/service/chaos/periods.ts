// Content faults of reports: hours instead of minutes, money as text, means without a value, periods nobody asked for.
import { labels, reports } from '#contract/reports.ts';
import type { Fault } from './fault.ts';
import type { ChaosRequest } from './question.ts';
import { content, isObject, recordsOf, type Json } from './records.ts';

const among =
  (...ids: NonNullable<ChaosRequest['report']>[]) =>
  ({ report }: ChaosRequest): boolean =>
    report !== undefined && ids.includes(report);
const isByPeriod = ({ report }: ChaosRequest): boolean => report !== undefined && reports[report].keyed === 'period';

/** TRICKY: minutes chosen so that dividing them by 60 gives exactly these hours again. */
const minutesOf = (hours: number): number => {
  const minutes = hours * 60;
  const near = [0, -1, 1, -2, 2].map((step) => minutes * (1 + step * Number.EPSILON));
  return near.find((each) => each / 60 === hours) ?? minutes;
};

/** Grouped by hour, /availability already gives minutes under the key `hours`. */
function sayMinutes(body: Json | unknown[], { report }: ChaosRequest): boolean {
  const has_minutes = report === 'availability' && Object.keys(body).every((label) => labels.hour.test(label));
  let is_said = false;
  for (const each of Object.values(body).filter(isObject)) {
    if (typeof each.hours !== 'number') continue;
    each.minutes = has_minutes ? each.hours : minutesOf(each.hours);
    delete each.hours;
    is_said = true;
  }
  return is_said;
}

/** Every object at any depth with a count above zero and seconds or hours. */
function* meansOf(value: unknown): Generator<Json> {
  if (!isObject(value)) return;
  if (Number(value.count) > 0 && ('seconds' in value || 'hours' in value)) yield value;
  for (const each of Object.values(value)) yield* meansOf(each);
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

export const periods = {
  minutes: content(
    'harmless',
    'minutes under the key `minutes` instead of hours',
    among('availability', 'chatting_time'),
    (body, { question }) => sayMinutes(body, question),
  ),
  null_seconds: content(
    'visible',
    'a mean over some chats or tickets is null',
    among('first_response_time', 'response_time', 'ticket_first_response_time', 'ticket_resolution_time'),
    (body, { random }) => {
      const means = [...meansOf(body)];
      if (means.length === 0) return false;
      const mean = random.pick(means);
      mean['seconds' in mean ? 'seconds' : 'hours'] = null;
      return true;
    },
  ),
  money_as_text: content('harmless', 'sums of money as text', among('goals'), (body, { question }) => {
    const sums = recordsOf(question, body).flatMap(({ value }) => (isObject(value) ? Object.values(value) : []));
    const sold = sums.filter(isObject);
    for (const sum of sold) sum.value = String(sum.value);
    return sold.length > 0;
  }),
  missing_period: content('visible', 'a period within the range is not named', isByPeriod, (body, { random }) => {
    const named = Object.keys(body);
    if (named.length < 2) return false;
    delete (body as Json)[random.pick(named)];
    return true;
  }),
  unasked_period: content('visible', 'the day after the range is named too', isByPeriod, (body) => {
    const last = Object.keys(body).at(-1);
    if (last === undefined || !labels.day.test(last)) return false;
    (body as Json)[dayAfter(last)] = (body as Json)[last];
    return true;
  }),
} as const satisfies Record<string, Fault>;
