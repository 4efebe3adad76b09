// Triggers pulls. node-cron only gives the time; a trigger during a pull is made up for once, right after it.
import cron, { type ScheduledTask } from 'node-cron';
import { outsideRequests } from './request-scope.ts';

export interface CronSchedule {
  /** Runs as soon as nothing runs. */
  now(): void;
  /** Follows another expression from now on; what runs goes on. */
  follow(expression: string): void;
  stop(): void;
}

export function schedule(expression: string, work: () => Promise<void>): CronSchedule {
  let is_running = false;
  let is_wanted = false;
  let is_stopped = false;
  const run = async (): Promise<void> => {
    if (is_stopped) return;
    if (is_running) {
      is_wanted = true;
      return;
    }
    is_running = true;
    try {
      await outsideRequests(work);
    } finally {
      is_running = false;
      if (is_wanted) {
        is_wanted = false;
        void run();
      }
    }
  };
  const begin = (times: string): ScheduledTask => cron.schedule(times, () => void run(), { timezone: 'UTC' });
  let task = begin(expression);
  return {
    now: () => void run(),
    follow(times) {
      if (is_stopped) return;
      void task.destroy();
      task = begin(times);
    },
    stop() {
      is_stopped = true;
      void task.destroy();
    },
  };
}
