// What has expired according to the settings: whole UTC months, so that it becomes due at most once a month. Pure.
import { retainedKinds, type Retained, type Marks } from '#etl/erased/old.ts';
import type { Begun } from '#warehouse/erase/selection.ts';

/** Whole months after the month in which a chat began; null: for ever. */
export type Keep = Readonly<Record<Retained, number | null>>;

/** When chats began that lose something. */
export type DueRetention = Readonly<{ [kept in Retained]?: Begun | undefined }>;

/** The first day of the oldest month to keep. `now` in Unix seconds. */
export function markAt(now: number, months: number): string {
  const at = new Date(now * 1000);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
}

/** Marks only move forward: a longer retention restores nothing. */
export function dueBy(keep: Keep, marks: Marks, now: number): DueRetention {
  const due: Partial<Record<Retained, Begun>> = {};
  for (const kept of retainedKinds) {
    const months = keep[kept];
    if (months === null) continue;
    const before = markAt(now, months);
    const from = marks[kept] ?? null;
    if (from === null || from < before) due[kept] = { from, before };
  }
  return due;
}

/** Everything that has been removed before. */
export const dueAgain = (marks: Marks): DueRetention =>
  Object.fromEntries(
    retainedKinds.flatMap((kept) => {
      const before = marks[kept];
      return before === undefined ? [] : [[kept, { from: null, before }]];
    }),
  );

export const isDue = (due: DueRetention): boolean => retainedKinds.some((kept) => due[kept] !== undefined);

/** The marks as they will be. */
export const marksAfter = (marks: Marks, due: DueRetention): Marks => ({
  ...marks,
  ...Object.fromEntries(retainedKinds.flatMap((kept) => (due[kept] ? [[kept, due[kept].before]] : []))),
});

/** All that is due, as one range. Nothing is due: undefined. */
export function rangeOf(due: DueRetention): Begun | undefined {
  const all = retainedKinds.flatMap((kept) => due[kept] ?? []);
  const [first] = all;
  if (!first) return undefined;
  return {
    from: all.some(({ from }) => from === null) ? null : (all.map(({ from }) => from ?? '').sort()[0] ?? null),
    before:
      all
        .map(({ before }) => before)
        .sort()
        .at(-1) ?? first.before,
  };
}
