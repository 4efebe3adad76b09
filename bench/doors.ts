// Measures the cost of logins and row rules: the same questions to two products in turns, one of them with both.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { elapsed, median, printTable, shown } from './clock.ts';
import { benchFolder } from './folder.ts';
import { zone } from './generate.ts';
import { running, type Running } from './scale/served.ts';

const clients = 8;
const round_ms = 700;
const rounds = 15;
const times_each = 7;
/** Repetitions of measurements that seem too slow: one in thirty equal ones still seems so after seven. */
const times_slow = 31;
const most_times = 1.2;
const day_ms = 86_400_000;
const password = 'a bicycle for two or three';
/** The group whose chats the reader sees; the open product filters by it. */
const group = 1;

interface Side {
  served: Running;
  headers: Record<string, string>;
  /** What makes a question one about the group. */
  filter: string;
}

const day = (before: number): string => new Date(Date.now() - before * day_ms).toISOString().slice(0, 10);

async function sent(url: string, path: string, method: string, body: object, headers = {}): Promise<Response> {
  const json = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(`${url}/api${path}`, { method, headers: json, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const cookieOf = (answer: Response): { cookie: string } => ({
  cookie: answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
});

/** A manager of one group, who has signed in with a password of their own. */
async function signedIn(url: string): Promise<{ cookie: string }> {
  const admin = cookieOf(await sent(url, '/sign-in', 'POST', { email: 'admin@example.com', password }));
  const email = 'manager@example.com';
  const user = { email, name: 'Manager', role: 'manager', rows: { groups: [group] }, password };
  await sent(url, '/users', 'POST', user, admin);
  const first = cookieOf(await sent(url, '/sign-in', 'POST', { email, password }));
  const next = `${password} or four`;
  return cookieOf(await sent(url, '/me/password', 'PUT', { password, next }, first));
}

const addressOf = ({ served, filter }: Side, path: string): string =>
  `${served.url}/api${path}${path.includes('?') ? '&' : '?'}${filter}`;

/** Answers a second. */
async function rateOf(side: Side, path: string): Promise<number> {
  const dispatcher = new Agent({ connections: clients });
  const until = performance.now() + round_ms;
  let answers = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const { statusCode, body } = await request(addressOf(side, path), { dispatcher, headers: side.headers });
        await body.dump({ limit: 10_000_000 });
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
        answers += 1;
      }
    }),
  );
  await dispatcher.close();
  return (answers / round_ms) * 1000;
}

async function asked(side: Side, path: string): Promise<void> {
  const answer = await fetch(addressOf(side, path), { headers: side.headers });
  await answer.arrayBuffer();
  if (![200, 400, 503].includes(answer.status)) throw new Error(`${path}: ${answer.status}`);
}

/** Measures both in turns, alternating which comes first. `of` reduces many figures to one. */
async function inTurns(
  sides: readonly [Side, Side],
  turns: number,
  of: (seen: number[]) => number,
  work: (side: Side, turn: number) => Promise<number>,
): Promise<[open: number, doors: number]> {
  const seen: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1)
    for (const at of turn % 2 ? ([1, 0] as const) : ([0, 1] as const)) seen[at].push(await work(sides[at], turn));
  return [of(seen[0]), of(seen[1])];
}

/** What else goes on only adds. */
const least = (times: number[]): number => Math.min(...times);

const questions = metrics.flatMap(({ id, splits }) => [
  `${id}?grain=day`,
  ...splits.map((split) => `${id}?grain=total&split=${split}`),
]);

async function measured(sides: readonly [Side, Side], only: string): Promise<void> {
  const repeated = `/metrics/total_chats?from=${day(365)}&to=${day(1)}&grain=day`;
  for (const side of sides) await rateOf(side, repeated);
  const [bare, behind] = await inTurns(sides, rounds, median, (side) => rateOf(side, repeated));
  const rows: { name: string; open: number; doors: number }[] = [];
  for (const question of questions.filter((it) => it.includes(only))) {
    // Different days each time, so that no answer is cached.
    const leastOf = (turns: number, first: number) =>
      inTurns(sides, turns, least, (side, turn) =>
        elapsed(() => asked(side, `/metrics/${question}&from=${day(200 + first + turn)}&to=${day(2)}`)),
      );
    const [open, doors] = await leastOf(times_each, 0);
    const [bareTime, doorsTime] =
      doors > most_times * open ? await leastOf(times_slow, times_each) : ([open, doors] as const);
    rows.push({ name: question, open: bareTime, doors: doorsTime });
  }
  console.log(`\nload average ${loadavg().map(shown).join(' ')}`);
  console.log(
    `repeated answers a second: ${bare.toFixed(0)} open, ${behind.toFixed(0)} behind doors: ${shown(behind / bare)} times, at least 0.9`,
  );
  const slower = rows.map((row) => ({ ...row, times: row.doors / row.open })).sort((a, b) => b.times - a.times);
  printTable(
    ['the slowest beside the same question without, ms', 'open', 'doors', 'times'],
    slower.slice(0, 12).map(({ name, open, doors, times }) => [name, shown(open), shown(doors), shown(times)]),
  );
  console.log(
    `${slower.length} questions, at most ${most_times} times: ${slower.filter(({ times }) => times > most_times).length} take longer; ` +
      `all together ${shown(sum(slower, 'doors') / sum(slower, 'open'))} times`,
  );
}

const sum = (rows: readonly { open: number; doors: number }[], of: 'open' | 'doors'): number =>
  rows.reduce((all, row) => all + row[of], 0);

/** `only`: a part of the names of the questions that are asked. */
export async function benchDoors(chats: number, only = ''): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'chatledger-doors-'));
  const [open, doors] = [join(place, 'open'), join(place, 'doors')];
  await benchFolder(chats, open);
  cpSync(open, doors, { recursive: true });
  const start = (folder: string, settings = {}): Promise<Running> =>
    running('serve', { CHATLEDGER_DATA: folder, CHATLEDGER_TIMEZONE: zone, ...settings });
  const admin = { CHATLEDGER_ADMIN_EMAIL: 'admin@example.com', CHATLEDGER_ADMIN_PASSWORD: password };
  const all = [await start(open), await start(doors, admin)] as const;
  try {
    const open_side = { served: all[0], headers: {}, filter: `group=${group}` };
    await measured([open_side, { served: all[1], headers: await signedIn(all[1].url), filter: '' }], only);
  } finally {
    await Promise.all(all.map((one) => one.end()));
    rmSync(place, { recursive: true, force: true });
  }
}
