// Kills pulls at random moments while the source misbehaves; what is in the warehouse in the end must be what is at the source.
// `npm run drill:pull -- [kills] [seed]`; a small round runs with the tests.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faults } from '#service/chaos/faults.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import type { WorldMaker } from '#service/growth.ts';
import { startService, type Service } from '#service/service.ts';
import { smallWorld } from '../livechat/service/small-world.ts';
import type { PullOutcome } from '#etl/pull.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tables } from '#warehouse/tables/tables.ts';
import type { From } from './one-pull.ts';
import { random } from './random.ts';

/** One folder: pulled and killed until a pull came to its end, then pulled once without faults. */
export interface Round {
  kills: number;
  /** Faults that the source played. */
  faults: number;
  chats: number;
  /** Rows that are missing, and rows that should not be there or are there twice. */
  lost: number;
  wrong: number;
  /** The first few of them. */
  words: string[];
}

const killing = join(import.meta.dirname, 'killing.ts');
const zone = 'Europe/Warsaw';
export const now = Date.parse('2026-11-18T09:00:00Z') / 1000;
export const until = '2026-11-18';
/** Late enough for everything that has not settled to be asked again. */
const later = 25 * 3600;
/** Together a fifth of the requests. What changes a text and looks right cannot be told from the truth, and is left out. */
export const drilled = faults.filter(
  ({ name, fault }) => name !== 'odd_letters' && ['passing', 'harmless', 'visible'].includes(fault.effect),
);
const rates = Object.fromEntries(drilled.map(({ name }) => [name, 0.2 / drilled.length]));

const ofService = ({ url, firstDay: since }: Service): From => ({ url, zone, since });

/** Resolves when it came to its end, with how long that took, or with nothing when it was killed after so many ms. */
export function pullIn(folder: string, from: From, second: number, after_ms?: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(killing, [folder, from.url, from.zone, from.since, String(second), from.only ?? ''], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const began = performance.now();
    let outcome: PullOutcome | undefined;
    let complained = '';
    child.stderr?.on('data', (part: Buffer) => (complained += part.toString()));
    child.on('message', (message) => (outcome = message as PullOutcome));
    const timer = after_ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), after_ms);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0 || signal === 'SIGKILL') resolve(outcome && performance.now() - began);
      else reject(new Error(`a pull ended with ${signal ?? code}: ${complained.slice(-1000)}`));
    });
  });
}

export type Content = ReadonlyMap<string, readonly string[]>;

/** Every row of facts, reports and lists, without the times and names of pulls. */
export async function contentOf(folder: string): Promise<Content> {
  const engine = await openWarehouse(join(folder, 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  try {
    const content = new Map<string, string[]>();
    for (const { schema, name, columns } of tables.filter(({ schema }) => schema !== 'ledger')) {
      const kept = Object.keys(columns).filter((column) => !['pulled_at', 'pull_id', 'content_hash'].includes(column));
      const days = 'day' in columns ? ` where day <= date '${until}'` : '';
      const rows = await engine.query(
        `select ${kept.map((column) => `"${column}"`).join(', ')} from ${schema}.${name}${days} order by all`,
      );
      content.set(
        `${schema}.${name}`,
        rows.map((row) => JSON.stringify(row)),
      );
    }
    // What is counted in advance, day by day as chats came.
    for (const table of ['chat_quarters', 'account_levels', 'agent_levels', 'group_levels'])
      content.set(
        `facts.${table}`,
        (await engine.query(`select * from facts.${table} order by all`)).map((row) => JSON.stringify(row)),
      );
    return content;
  } finally {
    await engine.close();
  }
}

export function compare(truth: Content, found: Content): Pick<Round, 'lost' | 'wrong' | 'words'> {
  const words: string[] = [];
  let [lost, wrong] = [0, 0];
  for (const [table, rows] of truth) {
    const left = new Map<string, number>();
    for (const row of found.get(table) ?? []) left.set(row, (left.get(row) ?? 0) + 1);
    for (const row of rows) {
      const times = left.get(row) ?? 0;
      if (times === 0) {
        lost += 1;
        words.push(`${table} lacks ${row.slice(0, 200)}`);
      } else if (times === 1) left.delete(row);
      else left.set(row, times - 1);
    }
    for (const [row, times] of left) {
      wrong += times;
      words.push(`${table} has ${row.slice(0, 200)}`);
    }
  }
  return { lost, wrong, words: words.slice(0, 5) };
}

export interface DrillSize {
  kills: number;
  seed: number;
  /** Days of the account. */
  days: number;
  world?: WorldMaker;
}

/** `hear` is told of each round. Every second round has no faults, so that kills alone are drilled too. */
export async function drill(
  { kills, seed, days, world = smallWorld }: DrillSize,
  hear: (round: Round) => void,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'chatledger-kills-'));
  const service = await startService({
    ...{
      file: join(root, 'service.sqlite'),
      days,
      port: 0,
      apiKey: 'secret',
      zone,
      clock: () => now,
      world,
    },
  });
  const draw = random(seed);
  try {
    const straight = join(root, 'straight');
    // A kill comes anywhere from the start of the process to somewhat after the last whole pull would have ended.
    const pace = { longest_ms: 1.2 * ((await pullIn(straight, ofService(service), now)) ?? 0) };
    await pullIn(straight, ofService(service), now + later);
    const truth = await contentOf(straight);
    for (let left = kills, number = 0; left > 0; number += 1) {
      const round = await killOften(service, join(root, `round-${number}`), left, pace, draw, number % 2 === 0);
      left -= round.kills;
      const found = await contentOf(join(root, `round-${number}`));
      hear({ ...round, chats: found.get('facts.chats')?.length ?? 0, ...compare(truth, found) });
      rmSync(join(root, `round-${number}`), { recursive: true, force: true });
    }
  } finally {
    await service.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function killOften(
  service: Service,
  folder: string,
  most: number,
  pace: { longest_ms: number },
  draw: () => number,
  isHonest: boolean,
): Promise<Pick<Round, 'kills' | 'faults'>> {
  let kills = 0;
  let hits = 0;
  for (let isOver = false; !isOver && kills < most;) {
    const plan = {
      rates,
      seed: Math.floor(draw() * 1e9),
      hold_seconds: 1.5,
      slow_seconds: 0.05,
      retry_after_seconds: 0,
    };
    service.chaos.follow(isHonest ? null : chaosPlan(plan));
    const took_ms = await pullIn(folder, ofService(service), now + kills, draw() ** 2 * pace.longest_ms);
    isOver = took_ms !== undefined;
    // The machine is not always as fast; a first pull is the longest of a folder. What was killed late has little left.
    if (took_ms === undefined) kills += 1;
    else if (kills === 0) pace.longest_ms = 1.2 * took_ms;
    hits += service.chaos.told().hit;
  }
  service.chaos.follow(null);
  await pullIn(folder, ofService(service), now + later);
  return { kills, faults: hits };
}

if (process.argv[1] === import.meta.filename) {
  const [kills = 200, seed = 1] = process.argv.slice(2).map(Number);
  const rounds: Round[] = [];
  const told = (count: number): string => String(count).padStart(7);
  process.stdout.write('  round   kills  faults   chats    lost   wrong\n');
  await drill({ kills, seed, days: 10 }, (round) => {
    rounds.push(round);
    process.stdout.write(
      `${[rounds.length, round.kills, round.faults, round.chats, round.lost, round.wrong].map(told).join(' ')}\n`,
    );
    for (const words of round.words) process.stdout.write(`        ${words}\n`);
  });
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  process.stdout.write(
    `${sum(({ kills }) => kills)} kills, ${sum(({ faults }) => faults)} faults: ${sum(({ lost }) => lost)} rows lost, ${sum(({ wrong }) => wrong)} wrong or there twice\n`,
  );
  process.exitCode = sum(({ lost, wrong }) => lost + wrong) > 0 ? 1 : 0;
}
