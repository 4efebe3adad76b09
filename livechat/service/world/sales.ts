// The goals a chat reaches and the sales tracked after it, in three currencies, up to six days later.
import type { ChatGoal } from '../records.ts';
import { GOALS } from './catalogue.ts';
import { PRODUCTS } from './phrases.ts';
import type { Random } from './random.ts';

const DAY = 86_400;

const PLAIN = GOALS.filter((goal) => goal.type !== 'sales_tracker' && goal.active === 1);
const TRACKERS = GOALS.filter((goal) => goal.type === 'sales_tracker');
/** How often a chat of group 0 to 4 sells something. */
const SALE_SHARES = [0.02, 0.17, 0.02, 0.02, 0.05];

/** In order of time; none is later than six days after the end. */
export function goalsOf(random: Random, group: number, started: number, ended: number): ChatGoal[] {
  const goals: ChatGoal[] = [];
  if (random.chance(0.06)) goals.push(plainGoal(random, started, ended));
  if (random.chance(SALE_SHARES[group] ?? 0)) {
    goals.push(sale(random, ended));
    if (random.chance(0.06)) goals.push(sale(random, ended));
  }
  return goals.sort((a, b) => a.at - b.at);
}

function plainGoal(random: Random, started: number, ended: number): ChatGoal {
  const goal = random.pick(PLAIN);
  const at = random.chance(0.7) ? random.between(started, ended) : ended + random.between(0, 2 * DAY);
  const order = { id: '', description: '', price: '0', currency: '' };
  // A goal marked by a program may carry an order although no tracker saw it.
  const isPriced = goal.type === 'api' && random.chance(0.3);
  const priced = { id: orderId(random), description: 'test ride deposit', price: '20.00', currency: 'EUR' };
  return { id: goal.id, name: goal.name, at, order: isPriced ? priced : order };
}

function sale(random: Random, ended: number): ChatGoal {
  const tracker = random.pick(TRACKERS);
  const isLater = random.chance(0.3);
  const at = ended + (isLater ? random.between(DAY, 6 * DAY) : Math.round(random.exponential(2400)) % DAY);
  const currency = random.pick(['EUR', 'EUR', 'EUR', 'USD', 'USD', 'JPY']);
  const kind = random.unit();
  const amount = Math.round(random.lognormal(110, 0.9) * 100) / 100;
  const text = currency === 'JPY' ? String(Math.round(amount * 160)) : amount.toFixed(2);
  const price = kind < 0.03 ? '0' : kind < 0.2 ? Number(text) : text;
  return {
    id: tracker.id,
    name: tracker.name,
    type: 'sales_tracker',
    at,
    order: {
      id: orderId(random),
      description: random.pick(PRODUCTS),
      price,
      currency: kind > 0.975 ? '' : currency,
    },
  };
}

function orderId(random: Random): string {
  return `V-${random.between(100_000, 999_999)}`;
}
