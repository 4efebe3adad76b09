// Checks of what a reader typed: local dates as text (YYYY-MM-DD), and names of zones.
function stamp(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function text(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists, from the year 2000 on. */
export function isDate(it: string): boolean {
  return /^[2-9]\d{3}-\d{2}-\d{2}$/.test(it) && !Number.isNaN(stamp(it)) && text(stamp(it)) === it;
}

/** In lower case, as there are only so many. Asking the browser costs milliseconds, and every page asks several times. */
const zones = new Map<string, boolean>();

export function isZone(it: string): boolean {
  let is = zones.get(it.toLowerCase());
  if (is === undefined) {
    try {
      is = new Intl.DateTimeFormat('en', { timeZone: it }).format(0) !== '';
    } catch {
      is = false;
    }
    // What an address names is not kept: the server must not remember whatever it is sent.
    if (is) zones.set(it.toLowerCase(), is);
  }
  return is;
}
