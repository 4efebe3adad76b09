// Validates typed input: local dates as text (YYYY-MM-DD), and names of zones.
function stamp(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function text(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

/** Whether the text is an existing date, from the year 2000. */
export function isDate(it: string): boolean {
  return /^[2-9]\d{3}-\d{2}-\d{2}$/.test(it) && !Number.isNaN(stamp(it)) && text(stamp(it)) === it;
}

/** Keyed in lower case, which limits their number. Asking the browser takes milliseconds, and every page asks several times. */
const zones = new Map<string, boolean>();

export function isZone(it: string): boolean {
  let is = zones.get(it.toLowerCase());
  if (is === undefined) {
    try {
      is = new Intl.DateTimeFormat('en', { timeZone: it }).format(0) !== '';
    } catch {
      is = false;
    }
    // Unknown names are not cached: the server must not store arbitrary input.
    if (is) zones.set(it.toLowerCase(), is);
  }
  return is;
}
