// Names instants in a zone and language for the top bar.

/** "09:05", preceded by the day if it is not the day of `now`. */
export function clock(instant: string, timezone: string, locale: string, now: Date): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const day = new Intl.DateTimeFormat(locale, { timeZone: timezone, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return day.format(at) === day.format(now) ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

/** An instant as the API writes it: ISO text, database text in UTC, or Unix seconds. */
export function instantOf(written: string | number): Date {
  if (typeof written === 'number') return new Date(written * 1000);
  const text = written.replace(' ', 'T');
  return new Date(/(Z|[+-]\d\d(:?\d\d)?)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
}

/** "Mon, 3 Nov 2026, 14:05:09". */
export function moment(written: string | number, timezone: string, locale: string): string {
  const at = instantOf(written);
  if (Number.isNaN(at.getTime())) return String(written);
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return `${new Intl.DateTimeFormat(locale, { timeZone: timezone, ...day }).format(at)}, ${time(written, timezone, locale)}`;
}

/** "Mon, 3 Nov 2026, 14:05": what is due at a whole minute, or known to the minute. */
export function toTheMinute(instant: string, timezone: string, locale: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const named = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options }).format(new Date(instant));
  return `${named(day)}, ${named(clock)}`;
}

/** "14:05:09". */
export function time(written: string | number, timezone: string, locale: string): string {
  const at = instantOf(written);
  if (Number.isNaN(at.getTime())) return String(written);
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(locale, { timeZone: timezone, ...clock }).format(at);
}

/** The wall-clock hour of an instant as a period label: `2026-11-03 14:00`. */
export function localHour(instant: string, timezone: string): string {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const at = new Date(instant);
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...day }).format(at);
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' }).format(at);
  return `${date} ${hour}:00`;
}
