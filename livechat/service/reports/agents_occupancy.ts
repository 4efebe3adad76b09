// Maximum number of concurrent chats in each hour, over the last four occurrences of a weekday. Whole account only.
import { weekdays } from '#contract/reports.ts';
import { cut, dateOf, dayAt, startOfDay, zoneNamed } from '../zone.ts';
import type { LightChat } from '../light.ts';
import type { ReportHandler } from './handler.ts';
import { hours } from './periods.ts';
import { eachOpenChat } from './selection.ts';

const everybody = { groups: [], agents: [], tags: [] };

export const agentsOccupancy: ReportHandler<'agents_occupancy'> = (account) => async (args) => {
  const now = account.now();
  const zone = args.timezone ? zoneNamed(args.timezone) : account.zone;
  const today = dayAt(zone, now);
  // Day 0, 1970-01-01, was a Thursday; in `weekdays` Monday comes first.
  const past = (((today + 3) % 7) - weekdays.indexOf(args.weekday!) + 7) % 7;
  const days = [21, 14, 7, 0].map((before) => today - past - before);
  const most = new Map<number, number>();
  for (const day of days) {
    const from = startOfDay(zone, day) - 3600;
    const to = startOfDay(zone, day + 1) + 3600;
    const open: LightChat[] = [];
    await eachOpenChat(account, everybody, { now, from, to }, (chat) => open.push(chat));
    const steps = stepsOf(open);
    let index = 0;
    let level = 0;
    cut(zone, from, to, 3600, (hour, begin, end) => {
      for (; index < steps.length && steps[index]!.at <= begin; index++) level = steps[index]!.level;
      let highest = level;
      for (; index < steps.length && steps[index]!.at < end; index++) {
        level = steps[index]!.level;
        highest = Math.max(highest, level);
      }
      most.set(hour, Math.max(most.get(hour) ?? 0, highest));
    });
  }
  return Object.fromEntries(
    days.flatMap((day) => hours.map((label, hour) => [`${dateOf(day)} ${label}`, most.get(day * 24 + hour) ?? 0])),
  );
};

/** The number of open chats from each second at which it changes; a zero-length chat counts for its second. */
function stepsOf(chats: { started: number; ended: number }[]): { at: number; level: number }[] {
  const changes = new Map<number, number>();
  const change = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { started, ended } of chats) {
    change(started, 1);
    change(Math.max(ended, started + 1), -1);
  }
  let level = 0;
  return [...changes].sort(([a], [b]) => a - b).map(([at, by]) => ({ at, level: (level += by) }));
}
