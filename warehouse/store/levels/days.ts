// Which days have other chats than when levels were last stored, and which quarter hours are affected.
import type { Row, Store } from '../../engine.ts';
import { lastQuarter, levelDaysTable, type LevelColumn } from '../../query/levels.ts';
import { quarterSeconds } from '../../query/time-buckets.ts';

/** About as many chats are laid over each other, or looked up by their visitors, by one statement in the memory of a writer. */
const at_once = 60_000;
const quarters_a_day = 86_400 / quarterSeconds;

/** The chats of an account that started on a UTC day: a fingerprint, and until when the last of them was open. */
export interface LevelDay {
  account: string;
  day: number;
  chats: number;
  fingerprint: string;
  /** The first quarter hour in which none of them is open. */
  until_quarter: number;
}

/** Quarter hours from `first` up to, not including, `last`. */
export interface DaySpan {
  first: number;
  last: number;
}

const keyOf = ({ account, day }: LevelDay): string => `${day} ${account}`;

/** As the facts have them, in order of account and day; `only` these days, all by default. */
export async function daysNow(
  engine: Store,
  columns: readonly LevelColumn[],
  only?: ReadonlySet<number>,
): Promise<LevelDay[]> {
  const { wholes, fingerprint } = engine.dialect;
  const last = lastQuarter(columns, engine.dialect);
  const of = (where = ''): string =>
    `select c.account, ${wholes('c.started_quarter', quarters_a_day)} as day, count(*) as chats,\n` +
    `  ${fingerprint(['c.chat_id', 'c.content_hash', 'c.started_second', 'c.ended_second'])} as fingerprint,\n` +
    `  max(${last}) + 1 as until_quarter\n` +
    `from facts.chats as c${where}\ngroup by 1, 2`;
  if (only?.size === 0) return [];
  // One query per span, so that unaffected parts of the table are not read.
  const spans = only && spansOf([...only].map((day) => ({ day, until_quarter: 0 })));
  const each = spans?.map(
    ({ first, last: end }) => `\nwhere c.started_quarter >= ${first} and c.started_quarter < ${end}`,
  ) ?? [''];
  return (await engine.query(`${each.map(of).join('\nunion all\n')}\norder by 1, 2`)).map(dayOf);
}

/** Number of chats. */
export async function chatsIn(engine: Store): Promise<number> {
  const [row] = await engine.query('select count(*) as chats from facts.chats');
  return Number(row?.chats);
}

/** As of the last time levels were stored. */
export const daysKept = async (engine: Store): Promise<LevelDay[]> =>
  (await engine.query(`select * from ${levelDaysTable}`)).map(dayOf);

const dayOf = (row: Row): LevelDay => ({
  ...{ account: String(row.account), day: Number(row.day), chats: Number(row.chats) },
  ...{ fingerprint: String(row.fingerprint), until_quarter: Number(row.until_quarter) },
});

/** Days whose chats differ from the stored ones: without a fingerprint, and with the later end of both. */
export function changedDays(before: readonly LevelDay[], now: readonly LevelDay[]): LevelDay[] {
  const known = new Map(before.map((day) => [keyOf(day), day]));
  const changed: LevelDay[] = [];
  for (const day of now) {
    const old = known.get(keyOf(day));
    known.delete(keyOf(day));
    if (old?.fingerprint === day.fingerprint && old.chats === day.chats) continue;
    changed.push({ ...day, until_quarter: Math.max(day.until_quarter, old?.until_quarter ?? 0) });
  }
  return [...changed, ...known.values()].map((day) => ({ ...day, fingerprint: '' }));
}

/** The quarter hours in which chats of those days are or were open, in order, none twice. */
export function spansOf(days: readonly Pick<LevelDay, 'day' | 'until_quarter'>[]): DaySpan[] {
  const spans: DaySpan[] = [];
  for (const { day, until_quarter } of [...days].sort((one, other) => one.day - other.day)) {
    const first = day * quarters_a_day;
    const last = Math.max(until_quarter, first + quarters_a_day);
    const before = spans.at(-1);
    if (before && before.last >= first) before.last = Math.max(before.last, last);
    else spans.push({ first, last });
  }
  return spans;
}

/** The same spans, cut between days with many chats, so that what one statement makes of them fits into memory. */
export function cutByChats(spans: readonly DaySpan[], chatsOn: ReadonlyMap<number, number>): DaySpan[] {
  const pieces: DaySpan[] = [];
  for (const { first, last } of spans) {
    let [from, chats] = [first, 0];
    for (let day = Math.floor(first / quarters_a_day); day * quarters_a_day < last; day++) {
      const start = day * quarters_a_day;
      if (chats > at_once && start > from) {
        pieces.push({ first: from, last: start });
        [from, chats] = [start, 0];
      }
      chats += chatsOn.get(day) ?? 0;
    }
    pieces.push({ first: from, last });
  }
  return pieces;
}
