// What is wrong with this machine's clock, or was when something was noted: a sentence for the doctor and Operations, with what to do.
import { unnoticed_ms } from '#warehouse/store/redated.ts';
import { newest } from '#warehouse/store/snapshot-store.ts';
import { clock } from './clock.ts';
import { readLastPull, type LastPull } from './last-pull.ts';

/** Seconds by which clocks may differ without harm; days are cut by this machine's. */
const most_skew_s = 600;

interface Noted {
  /** As of the last pulls. */
  accounts: LastPull['accounts'];
  /** When the newest snapshot was published, ISO. */
  published_at: string | null;
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `90 days`. */
function lengthOf(seconds: number): string {
  const [name, length] = units.find(([, each]) => seconds >= 2 * each) ?? units[2];
  return `${Math.round(seconds / length)} ${name}s`;
}

/** Null: nothing. `now` in Unix seconds. */
export function clockSentence({ accounts, published_at }: Noted, now: number): string | null {
  const isAhead = (instant: string): boolean => Date.parse(instant) > now * 1000 + unnoticed_ms;
  const ends = Object.values(accounts).map(({ ended_at }) => ended_at);
  const ahead = [...ends, ...(published_at === null ? [] : [published_at])].filter(isAhead).sort().at(-1);
  if (ahead !== undefined)
    return (
      `the last pull and its snapshot are noted for ${ahead}, which is to come: this machine's clock ran ahead then, or is behind now. ` +
      "Compare it ('timedatectl'), set it where it is wrong, and pull: as soon as the account's clock agrees, those snapshots get their place in the past"
    );
  const skewed = Object.entries(accounts)
    .filter(([, { clock_skew }]) => Math.abs(clock_skew ?? 0) >= most_skew_s)
    .sort(([, one], [, other]) => Math.abs(other.clock_skew ?? 0) - Math.abs(one.clock_skew ?? 0));
  const [worst] = skewed;
  if (!worst) return null;
  const [account, { clock_skew }] = worst;
  const where = (clock_skew ?? 0) < 0 ? 'ahead of' : 'behind';
  return (
    `at the last pull this machine's clock was ${lengthOf(Math.abs(clock_skew ?? 0))} ${where} that of the account ${account}: ` +
    "set it ('timedatectl set-ntp true') and pull, for by it days are cut, digests are due and numbers are called final"
  );
}

/** Of an installation. */
export async function clockProblem(published: string): Promise<string | null> {
  const accounts = readLastPull(published)?.accounts ?? {};
  return clockSentence({ accounts, published_at: (await newest(published))?.published_at ?? null }, clock());
}
