// `npm run check:zones`: three seeds, four zones, every day and hour of 90 days; exit code 1 when one cell differs.
import { addDays, dayOf } from '#etl/days.ts';
import { agreeAtRandom } from './random.ts';
import { compareAll, filtersOf, subjectOf } from './agree.ts';

const zones = ['UTC', 'Europe/Warsaw', 'America/New_York', 'Asia/Kathmandu'];
/** Ninety days that hold the autumn switches of Europe and America. */
const now = Date.parse('2026-11-20T14:37:21Z') / 1000;

let cells = 0;
let differing = 0;
for (const [seed, zone] of [
  [1, 'UTC'],
  [2, 'Europe/Warsaw'],
  [3, 'America/New_York'],
] as const) {
  const subject = await subjectOf(seed, zone, 90, now);
  const began = performance.now();
  const from = addDays(subject.service.firstDay, 1);
  const found = await compareAll(subject, zones, { from, to: dayOf(now, zone) }, await filtersOf(subject, 99));
  await subject.close();
  cells += found.cells;
  differing += found.differences.length;
  for (const sentence of found.differences.slice(0, 20)) process.stdout.write(`  ${sentence}\n`);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(
    `seed ${seed}, account in ${zone}: ${found.cells} cells, ${found.differences.length} differ (${seconds} s)\n`,
  );
}
process.stdout.write(`${cells} cells in ${zones.join(', ')}: ${differing} differ\n`);
process.stdout.write(`${await agreeAtRandom(100)} cells of 100 random small accounts agree\n`);
process.exitCode = differing === 0 ? 0 : 1;
