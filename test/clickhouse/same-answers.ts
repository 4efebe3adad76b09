// Random readers ask both engines the same: every answer must be the same text.
import { callerOf } from '#auth/caller.ts';
import { ask, questionFrom, restrictedAccount, shortened, type Restricted } from '../api/restricted.ts';
import { random } from '../drills/random.ts';
import { somebody } from '../drills/rows.ts';
import { openDatabase, published } from './both.ts';

export interface SameSize {
  questions: number;
  /** Questions of one reader, before somebody else asks. */
  each: number;
  seed: number;
}

export interface Same {
  /** Answers with numbers or rows. */
  equal: number;
  /** Equal refusals. */
  refused: number;
  failures: string[];
}

/** Receipts show the statement, which engines spell differently. */
function withoutStatements(path: string, body: string): string {
  if (!path.startsWith('/api/receipts/')) return body;
  return JSON.stringify(JSON.parse(body), (key, value: unknown) => (key === 'sql' ? '' : value));
}

export async function sameAnswers(
  { questions, each, seed }: SameSize,
  say = (_: string): void => undefined,
  shared?: Restricted,
): Promise<Same> {
  const account = shared ?? (await restrictedAccount());
  const database = await openDatabase();
  const found: Same = { equal: 0, refused: 0, failures: [] };
  try {
    const other = await published(database, account.whole);
    const draw = random(seed);
    let apis = [account.whole, other].map((engine) => account.apiOf(engine, () => ({ id: 'everything' })));
    for (let count = 0; count < questions; count += 1) {
      if (count % each === 0 && count >= questions / 2) {
        const who = somebody(draw, account.known);
        const known = { id: `r${count}`, email: `r${count}@example.com`, name: 'R', role: who.role };
        const { reader, rights } = callerOf({ ...known, extra_rights: who.extra, rows: who.rows });
        apis = [account.whole, other].map((engine) => account.apiOf(engine, () => reader, rights));
      }
      const path = questionFrom(draw, account.known);
      const [one, two] = [await ask(apis[0]!, path), await ask(apis[1]!, path)];
      const isSame =
        one.status === two.status && withoutStatements(path, one.body) === withoutStatements(path, two.body);
      if (!isSame) {
        const wrong = account.errors.map(String).join('\n').slice(0, 1500);
        found.failures.push(
          `question ${count}: ${path}\n${JSON.stringify([shortened(one), shortened(two)], null, 1)}\n${wrong}`,
        );
      } else if (one.status === 200) found.equal += 1;
      else found.refused += 1;
      account.errors.splice(0);
      if ((count + 1) % 100 === 0) say(`${count + 1} questions: ${told(found)}`);
    }
  } finally {
    await database.close();
    if (!shared) await account.close();
  }
  return found;
}

export const told = ({ equal, refused, failures }: Same): string =>
  `${equal} equal answers, ${refused} equal refusals, ${failures.length} otherwise`;
