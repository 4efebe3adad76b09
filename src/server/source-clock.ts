// Whether this machine's clock agrees with the sources: content removed for its age is lost for good.
import { unnoticed_ms } from '#warehouse/store/redated.ts';
import { readLastPull, type LastPull } from './last-pull.ts';

const day_s = 86_400;
/** Seconds that this machine's clock may be ahead of a source's. */
const most_ahead_s = day_s;
/** How long a source's clock reading is trusted, in seconds: the clock may have been changed since. */
const trusted_s = 7 * day_s;

const inAnyCase = "; where this machine's clock is right, 'npx chatledger retain --trust-clock' does it all the same";

/** Seconds by which the source's clock was ahead of this machine's when a pull last heard it, of the account where it was least; null: none has said. */
export function heardSkew(published: string): number | null {
  const heard = Object.values(readLastPull(published)?.accounts ?? {}).flatMap(({ clock_skew }) => clock_skew ?? []);
  return heard.length > 0 ? Math.min(...heard) : null;
}

/** Whether a pull of the last days heard that this machine's clock is right, and the clock was not set back since. `now` in Unix seconds. */
export const isClockRight = (published: string, now: number): boolean =>
  Object.values(readLastPull(published)?.accounts ?? {}).some(({ clock_skew, ended_at }) => {
    const age_s = now - Date.parse(ended_at) / 1000;
    return clock_skew !== null && Math.abs(clock_skew) < day_s && age_s >= -unnoticed_ms / 1000 && age_s <= trusted_s;
  });

/**
 * Why nothing may be removed by this clock, as a sentence; undefined if sources agree with it. `now` in Unix seconds; `remedy`: an
 * additional remedy.
 */
export function objectionToClock(published: string, now: number, remedy = inAnyCase): string | undefined {
  return objectionBy(readLastPull(published)?.accounts ?? {}, now, remedy);
}

export function objectionBy(accounts: LastPull['accounts'], now: number, remedy = inAnyCase): string | undefined {
  const told = Object.entries(accounts).filter(([, { clock_skew }]) => clock_skew !== null);
  const ahead = told.find(([, { clock_skew }]) => (clock_skew ?? 0) < -most_ahead_s);
  if (ahead) {
    const days = Math.round(-(ahead[1].clock_skew ?? 0) / day_s);
    return `this machine's clock is ${days} ${days === 1 ? 'day' : 'days'} ahead of that of the account ${ahead[0]}: set it and pull${remedy}`;
  }
  const isRecent = told.some(([, { ended_at }]) => Math.abs(now - Date.parse(ended_at) / 1000) <= trusted_s);
  if (isRecent) return undefined;
  return `no pull of the last ${trusted_s / day_s} days has told what the source's clock says: pull first${remedy}`;
}
