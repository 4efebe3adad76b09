// The login statuses of one day: shifts and breaks, and the minutes after a shift until the last chat is over.
import type { StatusInterval } from '../records.ts';
import type { LocalDay } from './calendar.ts';
import type { QueuePlace } from './carry.ts';
import type { ShiftInterval } from './shifts.ts';
import type { Worker } from './staff.ts';

/** The intervals that begin on the day; on the very first day also those already running at its start. */
export function statusesOf(
  day: LocalDay,
  workers: readonly Worker[],
  stretches: readonly ShiftInterval[],
  places: readonly QueuePlace[],
  isFirst: boolean,
): StatusInterval[] {
  return workers.flatMap((worker) => {
    const mine = stretches.filter((stretch) => stretch.agent === worker.index).sort((a, b) => a.from - b.from);
    return mine.flatMap((stretch, i) => {
      const next = mine[i + 1]?.from ?? Infinity;
      const intervals = [interval(worker, stretch.accepting, isFirst ? day.start : -Infinity, stretch)];
      if (stretch.is_last) {
        const over = Math.min(next, lastChatOver(places, worker.index, stretch.to));
        intervals.push(interval(worker, false, -Infinity, { from: stretch.to, to: over }));
      }
      return intervals.filter(({ from, to }) => from >= day.start && from < day.end && from < to);
    });
  });
}

function interval(
  worker: Worker,
  isAccepting: boolean,
  notBefore: number,
  span: { from: number; to: number },
): StatusInterval {
  return {
    agent: worker.record.login,
    status: isAccepting ? 'accepting chats' : 'not accepting chats',
    from: Math.max(notBefore, span.from),
    to: span.to,
  };
}

function lastChatOver(places: readonly QueuePlace[], agent: number, shiftEnd: number): number {
  let over = shiftEnd;
  for (const [holder, from, until] of places) {
    if (holder === agent && from < shiftEnd && until > over) over = until;
  }
  return over;
}
