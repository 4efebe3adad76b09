// Who is logged in when: the shifts that begin on a day, cut into times of accepting chats and breaks.
import { type LocalDay, instantAt, isHoliday } from './calendar.ts';
import { Random } from './random.ts';
import type { ShiftName, Worker } from './staff.ts';

/** One stretch of a shift, [from, to); shifts may end on the next day. */
export interface ShiftInterval {
  agent: number;
  accepting: boolean;
  from: number;
  to: number;
  /** The last part of the shift, after which the agent leaves once the open chats have ended. */
  is_last: boolean;
}

const HOURS: Record<ShiftName, readonly [number, number]> = {
  early: [6, 14],
  middle: [9, 17],
  late: [14, 22],
  night: [22, 30],
};

/** The stretches of all shifts that begin on this day, in no order. */
export function stretchesOf(seed: number, workers: readonly Worker[], day: LocalDay): ShiftInterval[] {
  return workers.flatMap((worker) => {
    const random = new Random(seed, 'shift', day.index, worker.index);
    const isFree =
      !worker.is_employed || worker.off.includes(day.weekday) || random.chance(isHoliday(day) ? 0.5 : 0.03);
    return isFree ? [] : shiftOf(worker, day, random);
  });
}

function shiftOf(worker: Worker, day: LocalDay, random: Random): ShiftInterval[] {
  const [from, to] = HOURS[worker.shift];
  const begin = from * 3600 + random.between(-240, 420);
  const end = to * 3600 + random.between(-300, 600);
  const pauses = [
    pause(begin + 2 * 3600, 900, 600, random),
    // Lunch: the people of a shift go one after the other, but the visitors keep coming and the queue fills.
    pause(begin + 4.4 * 3600 + (worker.turn - 1) * 1900, 900, 1500, random),
    pause(begin + 6.5 * 3600, 1200, 600, random),
  ];
  const marks = [begin, ...pauses.flat(), end].map((wall) => instantAt(day, wall));
  return marks.slice(0, -1).map((mark, i) => ({
    agent: worker.index,
    accepting: i % 2 === 0,
    from: mark,
    to: marks[i + 1] ?? mark,
    is_last: i === marks.length - 2,
  }));
}

function pause(around: number, spread: number, length: number, random: Random): [number, number] {
  const from = Math.round(around + (random.unit() - 0.5) * 2 * spread);
  return [from, from + length + random.between(0, Math.round(length / 3))];
}
