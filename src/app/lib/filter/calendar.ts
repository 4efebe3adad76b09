// Two months for selecting a range of days by pointer, touch or keyboard; one where space is limited. Loaded on demand.
import 'cally';
import type { CalendarRange } from 'cally';
import type { DateRange } from '#dashboards/ranges.ts';

const words = {
  hint: 'Choose a first and a last day. Arrow keys move, Enter chooses.',
  chooseLast: 'Now choose the last day.',
  before: 'Months before',
  after: 'Months after',
};

/** Puts it into an element of the filters; a chosen range goes at once, as if both days had been typed. */
export function show(node: HTMLElement, { from, to, today }: DateRange & { today: string }, locale: string): void {
  const months = matchMedia('(width >= 760px)').matches ? 2 : 1;
  const calendar = document.createElement('calendar-range') as InstanceType<typeof CalendarRange>;
  Object.assign(calendar, {
    ...{ months, locale, firstDayOfWeek: 1, pageBy: 'single', min: '2000-01-01', max: today },
    value: `${from}/${to}`,
    // The last month of the range is on the right.
    focusedDate: monthBefore(to > today ? today : to, months - 1),
  });
  const shown = document.createElement('div');
  shown.className = 'months';
  for (let offset = 0; offset < months; offset += 1) {
    const month = document.createElement('calendar-month');
    month.setAttribute('offset', String(offset));
    shown.append(month);
  }
  const way = (slot: 'previous' | 'next', name: string) => {
    const span = document.createElement('span');
    Object.assign(span, { slot, textContent: slot === 'previous' ? '‹' : '›', ariaLabel: name, role: 'img' });
    return span;
  };
  const hint = document.createElement('p');
  hint.textContent = words.hint;
  hint.setAttribute('role', 'status');
  calendar.append(way('previous', words.before), way('next', words.after), shown);
  calendar.addEventListener('rangestart', () => (hint.textContent = words.chooseLast));
  calendar.addEventListener('change', (event) => {
    // The form takes other changes as its own.
    event.stopPropagation();
    send(node, calendar.value);
  });
  node.replaceChildren(calendar, hint);
}

/** The first day of the month that lies `months` before a day's month. */
const monthBefore = (day: string, months: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - months)).toISOString().slice(0, 10);

function send(node: HTMLElement, chosen: string): void {
  const form = node.closest('form');
  const days = chosen.split('/');
  for (const [at, name] of ['from', 'to'].entries()) {
    const field = form?.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (field) field.value = days[at] ?? '';
  }
  form?.requestSubmit();
}
