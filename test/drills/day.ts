// A day of an account that lives, pulled while it does: the simulated team works, and beside it customers chat, agents transfer, ratings
// come late and staff changes, all through the public APIs. Whatever comes of it, both sides agree, and a fresh pull finds the same.
// `npm run drill:day -- [hours] [minutes between pulls] [seed]`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '#server/folder.ts';
import { withWriter } from '#server/writer.ts';
import { reconcile } from '#reports/reconciliation/reconcile.ts';
import { summaryOf } from '#reports/reconciliation/summary.ts';
import type { ReconciledCell } from '#reports/reconciliation/cell.ts';
import { startService } from '#service/service.ts';
import type { Row } from '#warehouse/engine.ts';
import { localDate } from '#warehouse/periods.ts';
import { ownContext } from '#warehouse/query/context.ts';
import { peopleOf, type Acts } from './day/people.ts';
import { onePull, type From } from './one-pull.ts';
import { compare, contentOf, until, type Content } from './pull.ts';
import { random } from './random.ts';

const zone = 'Europe/Warsaw';
const began = Date.parse(`${until}T00:00:00Z`) / 1000 - 36 * 3600;
const minute = 60;
/** Late enough for everything that has not settled to be asked again. */
const later = 25 * 3600;

export interface DaySize {
  hours: number;
  /** Minutes between two pulls. */
  every: number;
  seed: number;
}

/** One hour of the day, once it is over. */
export interface Hour {
  at: string;
  pulls: number;
  acts: Acts;
  /** Compared cells without a reason, after the last pull of the hour. */
  unexplained: readonly ReconciledCell[];
}

export interface LivedDay {
  /** Compared cells at the end. */
  cells: number;
  unexplained: readonly ReconciledCell[];
  /** What the two archives tell otherwise of a chat. */
  apart: readonly Row[];
  /** Rows that a fresh pull has and the pulled day lacks, and the other way round. */
  lost: number;
  wrong: number;
  words: string[];
}

/** `hear` is told of each hour. Errors: an answer of the service that is no answer. */
export async function liveThrough(
  { hours, every, seed }: DaySize,
  hear: (hour: Hour) => void = () => undefined,
): Promise<LivedDay> {
  const root = mkdtempSync(join(tmpdir(), 'chatledger-day-'));
  const file = join(root, 'service.sqlite');
  const clock = { now: began };
  const mistakes: unknown[] = [];
  const service = await startService({
    ...{ file, days: 3, port: 0, apiKey: 'secret', zone, clock: () => clock.now },
    onMistake: (error) => void mistakes.push(error),
  });
  const [lived, fresh] = [join(root, 'lived'), join(root, 'fresh')];
  const people = peopleOf({ url: service.url, file, clock, draw: random(seed) });
  const from: From = { url: service.url, zone, since: service.firstDay, token: people.token };
  try {
    for (let hour = 0; hour < hours; hour += 1) {
      let pulls = 0;
      for (let passed = 0; passed < 60; passed += 1) {
        clock.now += minute;
        await people.live();
        if (mistakes.length > 0) throw mistakes[0];
        if (passed % every !== every - 1) continue;
        pulls += 1;
        await onePull(lived, from, clock.now, passed === 59);
      }
      const { unexplained } = summaryOf(await comparedIn(lived, from, clock.now));
      hear({ at: new Date(clock.now * 1000).toISOString(), pulls, acts: people.acts(), unexplained });
    }
    clock.now += later;
    for (const folder of [lived, fresh]) await onePull(folder, from, clock.now, false);
    const { cells, unexplained } = summaryOf(await comparedIn(lived, from, clock.now));
    const kept = (content: Content): Content => askable(content, people.gone, from.since);
    const [truth, found] = [kept(await contentOf(fresh)), kept(await contentOf(lived))];
    return { cells, unexplained, apart: await apartIn(lived), ...compare(truth, found) };
  } finally {
    await service.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * The rows that a fresh pull could have: the source says nothing any more of an agent or group that was removed, nor of the hours of days
 * before the first that an earlier pull was told of along with others.
 */
function askable(content: Content, gone: Record<string, ReadonlySet<string>>, since: string): Content {
  const isKept = (row: string): boolean => {
    const { split, split_value, day, is_removed, login } = JSON.parse(row) as Record<string, unknown>;
    // Lists go on naming agents who were removed.
    if (is_removed === true && gone.agent?.has(String(login))) return false;
    return !gone[String(split)]?.has(String(split_value)) && !(typeof day === 'string' && day < since);
  };
  return new Map([...content].map(([table, rows]) => [table, rows.filter(isKept)]));
}

const comparedIn = (path: string, { since }: From, now: number): Promise<ReconciledCell[]> =>
  withWriter(openFolder(path), ({ engine }) =>
    reconcile(ownContext(engine, { id: 'default', timezone: zone, since }, now), {
      ...{ account: 'default', timezone: zone, from: since, to: localDate(zone, now) },
    }),
  );

/** Fields in which the archives differ, as the last comparison of each chat found them. */
const apartIn = (path: string): Promise<Row[]> =>
  withWriter(openFolder(path), ({ engine }) =>
    engine.query('select chat_id, field, rest_v2, agent_v3 from ledger.source_differences order by chat_id, field'),
  );

const wordsOf = ({
  metric,
  grain,
  period,
  split,
  split_value,
  measure,
  reported,
  recomputed,
}: ReconciledCell): string =>
  `${metric}.${measure} of ${grain} ${period}${split === 'account' ? '' : `, ${split} ${split_value}`}: reported ${reported}, recomputed ${recomputed}`;

if (process.argv[1] === import.meta.filename) {
  process.umask(0o077);
  const [hours = 24, every = 1, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
  process.stdout.write(`${hours} hours, a pull every ${every} minutes, seed ${seed}\n`);
  let unexplained = 0;
  const day = await liveThrough({ hours, every, seed }, (hour) => {
    const acts = Object.entries(hour.acts).map(
      ([does, { done, refused }]) => `${does} ${done}${refused > 0 ? ` (${refused} refused)` : ''}`,
    );
    process.stdout.write(
      `${hour.at}  ${hour.pulls} pulls, ${hour.unexplained.length} cells unexplained; ${acts.join(', ')}\n`,
    );
    for (const cell of hour.unexplained.slice(0, 5)) process.stdout.write(`        ${wordsOf(cell)}\n`);
    unexplained += hour.unexplained.length;
  });
  for (const words of [
    ...day.words,
    ...day.apart.slice(0, 20).map((row) => JSON.stringify(row)),
    ...day.unexplained.slice(0, 20).map(wordsOf),
  ])
    process.stdout.write(`        ${words}\n`);
  process.stdout.write(
    `${day.cells} cells compared, ${day.unexplained.length} unexplained at the end and ${unexplained} on the way; ${day.apart.length} fields in which the archives differ; ${day.lost} rows lost, ${day.wrong} wrong or there twice\n`,
  );
  process.exitCode = day.lost + day.wrong + day.unexplained.length + day.apart.length + unexplained > 0 ? 1 : 0;
}
