// Names instants in a zone and language for the top bar.

/** "09:05", with the day when it is another one than that of `now`. */
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
