// Chooses the fault for a request: scripted faults first, then a draw from the seed, the question and its number of attempts.
import { Random } from '../world/random.ts';
import { aimedAt, faultNamed, type NamedFault } from './faults.ts';
import type { ChaosPlan, Scripted } from './plan.ts';
import type { ChaosRequest } from './question.ts';

export interface Drawn extends NamedFault {
  /** For random choices within the fault; the same for the same seed, question and attempt. */
  random: Random;
}

/** How a question has fared. */
interface QuestionRecord {
  times: number;
  was_hit: boolean;
}

/** A draw remembers every question, so that its next try is spared and parallel requests do not change what happens. */
export function createDraw(plan: ChaosPlan): (question: ChaosRequest) => Drawn | undefined {
  const asked = new Map<string, QuestionRecord>();
  const seen = plan.script.map(() => 0);
  const scripted = plan.script.map((each) => ({ ...each, matches: matcher(each.path), found: faultNamed(each.fault) }));
  const isRated = matcher(plan.path);
  const rates = Object.entries(plan.rates)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([aim, rate]) => ({ rate: rate ?? 0, faults: aimedAt(aim as never) }));

  return (question) => {
    const before = asked.get(question.key) ?? { times: 0, was_hit: false };
    const drawn = (found: NamedFault): Drawn => ({
      ...found,
      random: randomOf(plan.seed, question, before.times, found.name),
    });
    let hit: NamedFault | undefined;
    scripted.forEach((each, index) => {
      if (!each.matches(question) || !fits(each.found, question)) return;
      seen[index] = (seen[index] ?? 0) + 1;
      if (isTurn(each, seen[index])) hit ??= each.found;
    });
    if (!hit && isRated(question)) hit = byRate(rates, plan, question, before);
    asked.set(question.key, { times: before.times + 1, was_hit: hit !== undefined });
    return hit && drawn(hit);
  };
}

const isTurn = ({ nth, times }: Scripted, seen: number): boolean => seen >= nth && seen < nth + times;
const fits = ({ fault }: NamedFault, question: ChaosRequest): boolean => fault.fits?.(question) ?? true;

/** TRICKY: for sticky faults the number of tries must not enter the draw, or the next try would draw anew. */
function byRate(
  rates: readonly { rate: number; faults: readonly NamedFault[] }[],
  { seed, sticky }: ChaosPlan,
  question: ChaosRequest,
  before: QuestionRecord,
): NamedFault | undefined {
  const isSticky = ({ name }: NamedFault): boolean => (Array.isArray(sticky) ? sticky.includes(name) : sticky);
  const lasting = pick(rates, randomOf(seed, question, -1, 'rate'), question);
  if (lasting && isSticky(lasting)) return lasting;
  if (before.was_hit) return undefined;
  const passing = pick(rates, randomOf(seed, question, before.times, 'rate'), question);
  return passing && !isSticky(passing) ? passing : undefined;
}

function pick(
  rates: readonly { rate: number; faults: readonly NamedFault[] }[],
  random: Random,
  question: ChaosRequest,
): NamedFault | undefined {
  let left = random.unit();
  for (const { rate, faults } of rates) {
    left -= rate;
    if (left >= 0) continue;
    const fitting = faults.filter((each) => fits(each, question));
    return fitting.length > 0 ? random.pick(fitting) : undefined;
  }
  return undefined;
}

const randomOf = (seed: number, { key }: ChaosRequest, times: number, purpose: string): Random =>
  new Random(seed, `${purpose} ${key}`, times);

/** Whether a question's path is meant by a pattern. */
export function matcher(pattern: string): (question: ChaosRequest) => boolean {
  const text = pattern.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*');
  const expression = new RegExp(`^${text}$`, 's');
  const with_query = pattern.includes('?');
  return ({ path, search }) => expression.test(with_query && search.size > 0 ? `${path}?${search}` : path);
}
