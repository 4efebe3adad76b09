// Random readers of every role ask at random: each is answered as by a file that has only their rows, or refused.
// `npm run drill:rows -- [readers] [seed]`; a few run with the tests.
import { callerOf, type Rows } from '#auth/caller.ts';
import { grantable, roleNames, supported, type Right, type Role } from '#auth/rights.ts';
import type { Reader, RowRule } from '#warehouse/query/reader.ts';
import { random } from './random.ts';
import type { Known, Random } from './readers/questions.ts';
import { expectedOf, isOfEachAgent, isNotReported, isSearchOfMasked } from '../api/expected.ts';
import { ask, questionFrom, restrictedAccount, shortened, withIds, type Restricted } from '../api/restricted.ts';
import { wordsIn } from '../words-in.ts';

export interface RowsSize {
  readers: number;
  /** Of each reader. */
  questions: number;
  seed: number;
  /** So many more, until each kind of answer was found. */
  more?: number;
}

export interface Found {
  /** Answers with numbers or rows that were equal. */
  equal: number;
  /** Equal refusals: not there, not allowed, not a question. */
  refused: number;
  /** Refused although everybody else is answered: single agents are asked for. */
  of_agents: number;
  /** Answers in which names were looked for, since they could not be compared. */
  searched: number;
  /** What was answered otherwise. */
  failures: string[];
}

interface Drawn {
  role: Role;
  extra: Right[];
  rows: Rows;
}

/** Somebody as People can make them. An agent sees the own chats. */
export function somebody(draw: Random, known: Known): Drawn {
  const one = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
  const role = one(roleNames);
  const extra = supported(
    role,
    grantable.filter(() => draw() < 0.25),
  );
  const account = draw() < 0.2 ? { accounts: ['default'] } : {};
  if (role === 'agent') return { role, extra, rows: { ...account, agent: one(known.agents) } };
  const groups = known.groups.filter(() => draw() < 0.4);
  return { role, extra, rows: { ...account, ...(groups.length > 0 && role !== 'admin' ? { groups } : {}) } };
}

/** What a file can leave out; the rest is how questions are answered. */
const ofFile = ({ groups, agent, is_anonymous }: RowRule): RowRule => ({
  ...(groups ? { groups } : {}),
  ...(agent === undefined ? {} : { agent }),
  ...(is_anonymous ? { is_anonymous } : {}),
});

/** The parts of a change are agents too, and occupancy is made of what each of them did. */
const isOfAgents = (path: string): boolean => /agent|ranking|scores|changes\.csv|occupancy/.test(path);

/** Never throws for what is answered otherwise: it is listed. */
export async function readersOfRows(
  { readers, questions, seed, more = 0 }: RowsSize,
  say = (_: string): void => undefined,
  shared?: Restricted,
) {
  const account = shared ?? (await restrictedAccount());
  const found: Found = { equal: 0, refused: 0, of_agents: 0, searched: 0, failures: [] };
  const names = await secretsOf(account);
  const draw = random(seed);
  const { failures: _, ...kinds } = found;
  const isOneMissing = (): boolean => Object.keys(kinds).some((kind) => found[kind as keyof typeof kinds] === 0);
  for (let count = 0; count < readers + (isOneMissing() ? more : 0); count += 1) {
    const who = somebody(draw, account.known);
    await askAs(account, who, { count, questions, draw, names }, found);
    if ((count + 1) % 25 === 0) say(`${count + 1} readers: ${told(found)}`);
  }
  if (!shared) await account.close();
  return found;
}

interface Turn {
  count: number;
  questions: number;
  draw: Random;
  names: Secrets;
}

async function askAs(account: Restricted, who: Drawn, { count, questions, draw, names }: Turn, found: Found) {
  const known = { id: `r${count}`, email: `r${count}@example.com`, name: 'R', role: who.role };
  const { reader, rights } = callerOf({ ...known, extra_rights: who.extra, rows: who.rows });
  const rule = reader.rows ?? {};
  const theirs = await account.onlyOf(ofFile(rule), `reader ${count}`);
  // The file has no other rows; what is kept by how a question is answered is asked of both.
  const alone: Reader = { id: 'alone', rows: { ...(rule.own_figures ? { agent: String(rule.agent) } : {}) } };
  const [narrow, own] = [
    account.apiOf(account.whole, () => reader, rights),
    account.apiOf(theirs, () => alone, rights),
  ];
  const ids = await withIds(theirs);
  for (let asked = 0; asked < questions; asked += 1) {
    const path = questionFrom(draw, account.known);
    const ours = await ask(narrow, path);
    const failed = (why: string, expected?: unknown): void => {
      const words = { who, path, ours: shortened(ours), expected };
      found.failures.push(`seed's reader ${count}: ${why}\n${JSON.stringify(words, null, 1)}`);
    };
    const isFound = (namesIn: Secrets['agents']): string[] =>
      namesIn(ours.body).filter((word) => !path.includes(encodeURIComponent(word)));
    if (rule.hides_agents) {
      const told = isFound(names.agents);
      if (told.length > 0 && !path.includes('agent=')) failed('names an agent', told.slice(0, 3));
      found.searched += 1;
    }
    if (rule.is_anonymous) {
      const told = isFound(names.visitors);
      if (told.length > 0) failed('names a visitor', told.slice(0, 3));
      found.searched += 1;
    }
    const isTaken = ours.status === 400 && /agents:read|your own figures only/.test(ours.body);
    if (isTaken) {
      if (!isOfAgents(path)) failed('refuses what is about no single agent');
      found.of_agents += 1;
      continue;
    }
    // Where agents are pseudonyms the answers of the two files are spelled otherwise.
    if (rule.hides_agents && !/^\/api\/metrics\//.test(path)) continue;
    if (rule.own_figures && /^\/api\/own-figures/.test(path)) continue;
    if (isSearchOfMasked(path, rule, ours) || isOfEachAgent(rule, ours)) continue;
    const expected = await expectedOf(own, path, rule);
    const isSame = ours.status === expected.status && (ours.status !== 200 || ids(ours.body) === ids(expected.body));
    if (!isSame && !isNotReported(path, rule, ours, expected)) failed('is answered otherwise', shortened(expected));
    else if (ours.status === 200) found.equal += 1;
    else found.refused += 1;
  }
  for (const error of account.errors.splice(0)) found.failures.push(`reader ${count}: ${String(error)}`);
  await theirs.close();
}

/** Which of them stand in a text. */
interface Secrets {
  agents: (text: string) => string[];
  visitors: (text: string) => string[];
}

/** Names as they stand in JSON. One of a single word may be any word. */
async function secretsOf({ whole }: Restricted): Promise<Secrets> {
  const texts = async (sql: string): Promise<string[]> =>
    (await whole.query(sql))
      .map((row) => JSON.stringify(Object.values(row)[0]).slice(1, -1))
      .filter((text) => /[ @]/.test(text));
  return {
    agents: wordsIn(await texts('select login from account.agents union select name from account.agents')),
    visitors: wordsIn([
      ...(await texts('select distinct visitor_name from facts.chats where visitor_name is not null')),
      ...(await whole.query('select distinct visitor_id as id from facts.chats')).map(({ id }) => String(id)),
    ]),
  };
}

const told = ({ equal, refused, of_agents, searched, failures }: Found): string =>
  `${equal} equal answers, ${refused} equal refusals, ${of_agents} about single agents refused, ${searched} searched for names, ${failures.length} otherwise`;

if (process.argv[1] === import.meta.filename) {
  const [readers = 300, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
  const print = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
  const began = performance.now();
  const found = await readersOfRows({ readers, questions: 10, seed }, print);
  print(`${readers} readers in ${Math.round((performance.now() - began) / 1000)} s, seed ${seed}: ${told(found)}`);
  for (const failure of found.failures.slice(0, 5)) print(failure);
  process.exitCode = found.failures.length > 0 ? 1 : 0;
}
