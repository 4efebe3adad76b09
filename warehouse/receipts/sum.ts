// Adds up a receipt: every row of the cell, what it brings or why not, and whether the number follows from that.
import type { Row } from '../engine.ts';
import type { About, MeasureRecipe } from '../definitions/recipe.ts';

/** A chat of the list, with what all its rows bring together. */
export interface Contributor {
  chat_id: string;
  contribution: number;
  words: string;
}

export interface LeftOut {
  reason: string;
  count: number;
  /** Up to 20. */
  chats: string[];
}

export interface Sum {
  how: string;
  from_chats: number | null;
  /** Of chats, not of rows. */
  total: number;
  shown: Contributor[];
  left_out: LeftOut[];
  /** How many of the contributing chats each pull brought. */
  pulls: Map<string, number>;
}

const mostNamed = 20;

/** Adds up rows as they come. */
export interface Adding {
  /** Rows of one chat stand together. */
  add(rows: readonly Row[]): void;
  leaveOut(row: Row, reason: string): void;
  sum(): Sum;
}

export function adding(made: MeasureRecipe, about: About, page: { limit: number; offset: number }): Adding {
  const values: number[] = [];
  const left = new Map<string, LeftOut>();
  const pulls = new Map<string, number>();
  const shown: Contributor[] = [];
  let [total, last] = [0, ''];
  const leaveOut = (row: Row, reason: string): void => {
    const known = left.get(reason) ?? { reason, count: 0, chats: [] };
    left.set(reason, known);
    known.count += 1;
    const id = String(row.chat_id);
    if (known.chats.length < mostNamed && known.chats.at(-1) !== id) known.chats.push(id);
  };
  const contribute = (row: Row, value: number, words: string): void => {
    values.push(value);
    const id = String(row.chat_id);
    const before = shown.at(-1);
    if (id !== last) {
      if (total >= page.offset && shown.length < page.limit) shown.push({ chat_id: id, contribution: value, words });
      total += 1;
      pulls.set(String(row.pull_id), (pulls.get(String(row.pull_id)) ?? 0) + 1);
    } else if (before?.chat_id === id) {
      before.contribution += value;
      before.words += `, ${words}`;
    }
    last = id;
  };
  return {
    leaveOut,
    add(rows) {
      for (const row of rows) {
        const brought = made.brings(row, about);
        if ('left_out' in brought) leaveOut(row, brought.left_out);
        else contribute(row, brought.value, brought.words);
      }
    },
    sum: () => ({
      how: typeof made.how === 'string' ? made.how : made.how(about),
      from_chats: made.total(values, about),
      total,
      shown,
      left_out: [...left.values()].sort((one, other) => other.count - one.count),
      pulls,
    }),
  };
}

/** Equal but for the last digits of a sum in another order. */
export const agree = (one: number | null, other: number | null): boolean =>
  one === other ||
  (one !== null && other !== null && Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other)));
