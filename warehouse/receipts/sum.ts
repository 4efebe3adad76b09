// Adds up a receipt: every row of the cell with its contribution or why it has none, and whether the result matches the number.
import type { Row } from '../engine.ts';
import type { MeasureRecipe, OpenHours, RecipeContext } from '../definitions/recipe.ts';

/** Ids are unique within an account only. */
interface ChatId {
  account: string;
  chat_id: string;
}

/** A chat of the list, with the total contribution of its rows. */
export interface Contributor extends ChatId {
  contribution: number;
  words: string;
}

export interface LeftOut {
  reason: string;
  count: number;
  /** Up to 20. */
  chats: ChatId[];
}

export interface Sum {
  how: string;
  from_chats: number | null;
  /** Number of chats, not rows. */
  total: number;
  shown: Contributor[];
  left_out: LeftOut[];
  /** How many of the contributing chats each pull brought, by account. */
  pulls: Map<string, Map<string, number>>;
}

const mostNamed = 20;
const mostUnsorted = 10_000;

/** The order of listed chats: by start, or by contribution. */
export const orders = ['started', 'largest', 'smallest'] as const;

/** The part of the chats that is listed. */
export interface Listing {
  limit: number;
  offset: number;
  order: (typeof orders)[number];
}

const isSame = (one: ChatId | undefined, other: ChatId): boolean =>
  one?.chat_id === other.chat_id && one.account === other.account;

/** Adds up rows as they arrive. */
export interface Adding {
  /** Rows of one chat must be adjacent. */
  add(rows: readonly Row[]): void;
  leaveOut(row: Row, reason: string): void;
  sum(): Sum;
}

/** Keeps the chats to be listed as they arrive; when sorting by contribution, no more than can still be among them. */
function listing({ limit, offset, order }: Listing): { add(chat: Contributor): void; shown(): Contributor[] } {
  const end = offset + limit;
  let kept: Contributor[] = [];
  let seen = 0;
  if (order === 'started')
    return {
      add(chat) {
        if (seen >= offset && kept.length < limit) kept.push(chat);
        seen += 1;
      },
      shown: () => kept,
    };
  const sign = order === 'largest' ? -1 : 1;
  // Sorting is stable: chats with equal contributions stay in order of start.
  const first = (): Contributor[] =>
    kept.toSorted((one, other) => sign * (one.contribution - other.contribution)).slice(0, end);
  return {
    add(chat) {
      // Further rows of the last chat may still change its contribution.
      if (kept.length > 2 * end + mostUnsorted) kept = first();
      kept.push(chat);
    },
    shown: () => first().slice(offset),
  };
}

/** `account`: of rows that do not name theirs. `hours`: business hours by account. */
export function adding(
  made: MeasureRecipe,
  about: RecipeContext,
  wanted: Listing,
  account: string,
  hours: ReadonlyMap<string, OpenHours> = new Map(),
): Adding {
  const aboutBy = new Map([...hours].map(([id, own]) => [id, { ...about, hours: own }]));
  const accountOf = (row: Row): string => (row.account === undefined ? account : String(row.account));
  const values: number[] = [];
  const left = new Map<string, LeftOut>();
  const pulls = new Map<string, Map<string, number>>();
  const listed = listing(wanted);
  let total = 0;
  let last: Contributor | undefined;
  const leaveOut = (row: Row, reason: string): void => {
    const known = left.get(reason) ?? { reason, count: 0, chats: [] };
    left.set(reason, known);
    known.count += 1;
    const chat = { account: accountOf(row), chat_id: String(row.chat_id) };
    if (known.chats.length < mostNamed && !isSame(known.chats.at(-1), chat)) known.chats.push(chat);
  };
  const contribute = (row: Row, value: number, words: string): void => {
    values.push(value);
    const chat = { account: accountOf(row), chat_id: String(row.chat_id) };
    if (last && isSame(last, chat)) {
      last.contribution += value;
      last.words += `, ${words}`;
      return;
    }
    listed.add((last = { ...chat, contribution: value, words }));
    total += 1;
    const brought = pulls.get(chat.account) ?? new Map<string, number>();
    pulls.set(chat.account, brought);
    brought.set(String(row.pull_id), (brought.get(String(row.pull_id)) ?? 0) + 1);
  };
  return {
    leaveOut,
    add(rows) {
      for (const row of rows) {
        const brought = made.brings(row, aboutBy.get(accountOf(row)) ?? about);
        if ('left_out' in brought) leaveOut(row, brought.left_out);
        else contribute(row, brought.value, brought.words);
      }
    },
    sum: () => ({
      how: typeof made.how === 'string' ? made.how : made.how(about),
      from_chats: made.total(values, about),
      total,
      shown: listed.shown(),
      left_out: [...left.values()].sort((one, other) => other.count - one.count),
      pulls,
    }),
  };
}

/** Equal but for the last digits of a sum in another order. */
export const agree = (one: number | null, other: number | null): boolean =>
  one === other ||
  (one !== null && other !== null && Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other)));
