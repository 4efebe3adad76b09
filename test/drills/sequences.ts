// Random histories of an account and its pulls: whatever happened, the next whole pull ends in the facts of a fresh one.
// `npm run drill:sequences -- [runs] [seed]`; a few run with the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { chaosPlan } from '#service/chaos/plan.ts';
import { livingAccount, type Living } from '../etl/living.ts';
import { onePull } from './one-pull.ts';
import { compare, contentOf, drilled, pullIn, now } from './pull.ts';

/** One thing that happens. `at` picks the chat. */
type Happening =
  | { does: 'pull' }
  | { does: 'pull with faults'; seed: number; share: number }
  | { does: 'kill'; after_ms: number; seed: number }
  | { does: 'chats end while pages are read'; pages: number; count: number }
  | { does: 'chats end'; day: number; count: number }
  | { does: 'late rating'; at: number; rate: 'rated_good' | 'rated_bad' | 'not_rated' }
  | { does: 'tags change'; at: number; tags: string[] }
  | { does: 'chat changes'; at: number }
  | { does: 'chat is deleted'; at: number };

const days = 3;
const at = fc.nat(200);
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ does: fc.constant('pull' as const) }),
  fc.record({
    does: fc.constant('pull with faults' as const),
    seed: fc.nat(1e6),
    share: fc.double({ min: 0.05, max: 0.5, noNaN: true }),
  }),
  fc.record({ does: fc.constant('kill' as const), after_ms: fc.integer({ min: 200, max: 1500 }), seed: fc.nat(1e6) }),
  fc.record({
    does: fc.constant('chats end while pages are read' as const),
    pages: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ does: fc.constant('chats end' as const), day: fc.nat(days - 1), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({
    does: fc.constant('late rating' as const),
    at,
    rate: fc.constantFrom('rated_good' as const, 'rated_bad' as const, 'not_rated' as const),
  }),
  fc.record({
    does: fc.constant('tags change' as const),
    at,
    tags: fc.uniqueArray(fc.constantFrom('tag-1', 'tag-2', 'a "tag", odd'), { maxLength: 3 }),
  }),
  fc.record({ does: fc.constant('chat changes' as const), at }),
  fc.record({ does: fc.constant('chat is deleted' as const), at }),
);

/** The account behind HTTP and the folder that is pulled into; each pull is half an hour after the one before. */
interface Stage {
  living: Living;
  folder: string;
  only: string;
  pulls: number;
}

const faultsOf = (seed: number, share: number): ReturnType<typeof chaosPlan> =>
  chaosPlan({
    rates: Object.fromEntries(drilled.map(({ name }) => [name, share / drilled.length])),
    ...{ seed, hold_seconds: 0.3, slow_seconds: 0.02, retry_after_seconds: 0 },
  });

const pullOn = async (stage: Stage, after_ms?: number): Promise<void> => {
  const { living, folder, only } = stage;
  const from = { url: living.url, zone: 'UTC', since: living.since, only };
  const second = now + 1800 * stage.pulls++;
  if (after_ms === undefined) await onePull(folder, from, second, false);
  else await pullIn(folder, from, second, after_ms);
};

async function happen(stage: Stage, it: Happening): Promise<void> {
  const { living } = stage;
  living.chaos.follow(null);
  if (it.does === 'pull') await pullOn(stage);
  else if (it.does === 'pull with faults') {
    living.chaos.follow(faultsOf(it.seed, it.share));
    await pullOn(stage);
  } else if (it.does === 'kill') {
    living.chaos.follow(it.seed % 2 === 0 ? null : faultsOf(it.seed, 0.2));
    await pullOn(stage, it.after_ms);
  } else if (it.does === 'chats end while pages are read') {
    living.after(it.pages, () => arrive(living, it.pages, it.count));
    await pullOn(stage);
    // A pull that asked for fewer pages was over before they ended.
    living.settle();
  } else if (it.does === 'chats end') arrive(living, it.day, it.count);
  else if (it.does === 'late rating') living.change(it.at, () => ({ rate: it.rate }));
  else if (it.does === 'tags change') living.change(it.at, () => ({ tags: it.tags }));
  else if (it.does === 'chat changes') living.change(it.at, changed);
  else living.remove(it.at);
}

const arrive = (living: Living, day: number, count: number): void => {
  for (let left = count; left > 0; left -= 1) living.arrive(day);
};

const changed: Parameters<Living['change']>[1] = ({ events = [], ended_timestamp = 0, duration }) => ({
  ...{ events: events.slice(0, -1), messages: [] },
  ...{ ended_timestamp: ended_timestamp + 60, duration: duration + 60 },
});

/** Late enough for everything that has not settled to be asked again. */
const later = 25 * 3600;

/** What is lost or wrong after the history and one whole pull, in words; empty when nothing is. */
export async function endsAsFresh(history: readonly Happening[]): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'chatledger-sequence-'));
  const living = await livingAccount(now, days, 30);
  try {
    const stage: Stage = { living, folder: join(root, 'old'), only: 'archive,total_chats,chat_ratings', pulls: 0 };
    for (const it of history) await happen(stage, it);
    living.chaos.follow(null);
    const from = { url: living.url, zone: 'UTC', since: living.since, only: stage.only };
    for (const folder of [stage.folder, join(root, 'fresh')]) await onePull(folder, from, now + later, false);
    const [found, truth] = [await contentOf(stage.folder), await contentOf(join(root, 'fresh'))];
    return compare(truth, found).words;
  } finally {
    await living.close();
    rmSync(root, { recursive: true, force: true });
  }
}

export interface SequencesSize {
  runs: number;
  seed: number;
  /** Happenings of one history. */
  least?: number;
  /** No history is begun after this, and no shorter one is looked for. */
  within_ms?: number;
}

/** How many histories were tried, and what happened in them. @throws with the shortest that ends otherwise, and in what way. */
export async function sequences({ runs, seed, least = 1, within_ms = 3_600_000 }: SequencesSize) {
  let tried = 0;
  const happened = new Set<Happening['does']>();
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: least, maxLength: 8, size: 'max' }), async (history) => {
      tried += 1;
      for (const { does } of history) happened.add(does);
      const words = await endsAsFresh(history);
      if (words.length > 0) throw new Error(words.join('\n'));
    }),
    { numRuns: runs, seed, verbose: 1, interruptAfterTimeLimit: within_ms, markInterruptAsFailure: false },
  );
  return { tried, happened };
}

/** Everything that can happen. */
export const happenings: readonly Happening['does'][] = [
  'pull',
  'pull with faults',
  'kill',
  'chats end while pages are read',
  'chats end',
  'late rating',
  'tags change',
  'chat changes',
  'chat is deleted',
];

if (process.argv[1] === import.meta.filename) {
  const [runs = 200, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
  const began = performance.now();
  const { tried } = await sequences({ runs, seed });
  process.stdout.write(
    `${tried} histories in ${Math.round((performance.now() - began) / 1000)} s, seed ${seed}: each ends in the facts of a fresh pull\n`,
  );
}
