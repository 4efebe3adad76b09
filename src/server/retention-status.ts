// Retention periods, the first month kept, and what is due: a sentence for the doctor and the command line.
import { retainedKinds, type Marks } from '#etl/erased/old.ts';
import { dueBy, isDue, type Keep } from './erased/due.ts';

const months = (count: number): string => `${count} ${count === 1 ? 'month' : 'months'}`;

/** `texts are kept for 12 months (gone before 2025-10-01), names for ever`. */
export const keepSentence = (keep: Keep, marks: Marks): string =>
  retainedKinds
    .map((kept) => {
      const count = keep[kept];
      const before = marks[kept];
      const gone = before === undefined ? '' : ` (of chats that began before ${before} they are gone)`;
      return `${kept} are kept ${count === null ? 'for ever' : `for ${months(count)} after the month of their chat`}${gone}`;
    })
    .join('; ');

/** `now` in Unix seconds. Nothing is due: empty. */
export function dueSentence(keep: Keep, marks: Marks, now: number): string {
  const due = dueBy(keep, marks, now);
  if (!isDue(due)) return '';
  const each = retainedKinds.flatMap((kept) => (due[kept] ? [`${kept} of chats before ${due[kept].before}`] : []));
  return `due: ${each.join(', ')}; 'npx chatledger start' does it, or 'npx chatledger retain'`;
}
