// Shrinks the differences of agents towards each other as far as chance explains them (empirical Bayes): differences follow a normal
// distribution whose width is averaged over its likelihood instead of being fixed.
import type { TimeSlice } from '#warehouse/time-slice.ts';

/** What is known of one agent's difference. */
export interface KnownDifference {
  /** Log likelihood of a difference, up to a constant. */
  likelihood: (difference: number) => number;
  /** The maximum likelihood estimate, and its standard deviation if the expectation were exact. */
  likeliest: number;
  deviation: number;
  /** Standard deviation of the expectation. */
  unsure: number;
}

export interface Shrunk {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

interface AllShrunk {
  agents: Shrunk[];
  /** Standard deviation of the true differences between agents. */
  between: number;
}

/** Candidate widths in log odds or logarithms, each 15 % wider than the one before. */
const widths = Array.from({ length: 29 }, (_, index) => 0.03 * 1.15 ** index);
/** Prior scale: two in three widths are expected to be smaller. */
const usual_width = 1;
const places = 400;
const reach = 6;

interface Gridded {
  differences: Float64Array;
  likelihoods: Float64Array;
}

function griddedOf({ likelihood, likeliest, deviation, unsure }: KnownDifference): Gridded {
  const around = reach * Math.hypot(deviation, unsure);
  const [low, high] = [Math.min(0, likeliest - around), Math.max(0, likeliest + around)];
  const step = (high - low) / places;
  const differences = Float64Array.from({ length: places + 1 }, (_, at) => low + step * at);
  const logs = differences.map((difference) => likelihood(difference));
  const most = Math.max(...logs);
  const sure = logs.map((log) => Math.exp(log - most));
  return { differences, likelihoods: unsure > step / 2 ? blurred(sure, unsure / step) : sure };
}

/** Each value blurred over its neighbours by a normal distribution; `deviation` is in grid steps. */
function blurred(values: Float64Array, deviation: number): Float64Array {
  const far = Math.ceil(4 * deviation);
  const weights = Array.from({ length: 2 * far + 1 }, (_, at) => Math.exp(-((at - far) ** 2) / (2 * deviation ** 2)));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const blurred = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const first = Math.max(0, at - far);
    const last = Math.min(values.length - 1, at + far);
    let sum = 0;
    for (let other = first; other <= last; other += 1) sum += (weights[other - at + far] ?? 0) * (values[other] ?? 0);
    blurred[at] = sum / whole;
  }
  return blurred;
}

/**
 * Densities of a normal distribution around 0 at the differences of a grid, up to a constant. The quotient of two neighbours changes by the
 * same factor from one to the next: outwards from the place that is nearest to 0, each takes two products instead of an exponential.
 */
function densitiesAt(differences: Float64Array, width: number, densities: Float64Array): void {
  const step = (differences[1] ?? 0) - (differences[0] ?? 0);
  const nearest = Math.min(places, Math.max(0, Math.round(-(differences[0] ?? 0) / step)));
  const at = differences[nearest] ?? 0;
  const twice = 2 * width * width;
  densities[nearest] = Math.exp(-(at * at) / twice);
  const change = Math.exp((-2 * step * step) / twice);
  let quotient = Math.exp(-(2 * at * step + step * step) / twice);
  for (let place = nearest + 1; place <= places; place += 1) {
    densities[place] = (densities[place - 1] ?? 0) * quotient;
    quotient *= change;
  }
  quotient = Math.exp((2 * at * step - step * step) / twice);
  for (let place = nearest - 1; place >= 0; place -= 1) {
    densities[place] = (densities[place + 1] ?? 0) * quotient;
    quotient *= change;
  }
}

/** Likelihood of an agent's data under a width, up to a constant: the mean likelihood over that distribution. `free` is written over. */
function likelihoodOf({ differences, likelihoods }: Gridded, width: number, free: Float64Array): number {
  const step = (differences[1] ?? 0) - (differences[0] ?? 0);
  densitiesAt(differences, width, free);
  let sum = 0;
  for (let at = 0; at <= places; at += 1) sum += (likelihoods[at] ?? 0) * (free[at] ?? 0);
  return (sum * step) / (width * Math.sqrt(2 * Math.PI));
}

/** Errors: Cancelled. */
export async function shrunkTogether(all: readonly KnownDifference[], turn: TimeSlice): Promise<AllShrunk> {
  const grids = await each(all, griddedOf, turn);
  const free = new Float64Array(places + 1);
  const logOf = (width: number): number => {
    const prior = -(width * width) / (2 * usual_width * usual_width) + Math.log(width);
    return grids.reduce((sum, grid) => sum + Math.log(Math.max(likelihoodOf(grid, width, free), 1e-300)), prior);
  };
  const logs = await each(widths, logOf, turn);
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => weight / whole);
  return {
    agents: await each(grids, (grid) => shrunkOf(grid, shares), turn),
    between: widths.reduce((sum, width, at) => sum + width * (shares[at] ?? 0), 0),
  };
}

async function each<From, To>(all: readonly From[], made: (one: From) => To, turn: TimeSlice): Promise<To[]> {
  const found: To[] = [];
  for (const one of all) {
    if (turn.isOver()) await turn.next();
    found.push(made(one));
  }
  return found;
}

function shrunkOf(grid: Gridded, shares: readonly number[]): Shrunk {
  const { differences, likelihoods } = grid;
  const chances = new Float64Array(places + 1);
  const own = new Float64Array(places + 1);
  for (const [index, width] of widths.entries()) {
    const share = shares[index] ?? 0;
    if (share < 1e-9) continue;
    densitiesAt(differences, width, own);
    let sum = 0;
    for (let at = 0; at <= places; at += 1) {
      own[at] = (own[at] ?? 0) * (likelihoods[at] ?? 0);
      sum += own[at] ?? 0;
    }
    if (sum > 0)
      for (let at = 0; at <= places; at += 1) chances[at] = (chances[at] ?? 0) + (share * (own[at] ?? 0)) / sum;
  }
  const whole = chances.reduce((sum, it) => sum + it, 0);
  const mean = differences.reduce((sum, it, at) => sum + (it * (chances[at] ?? 0)) / whole, 0);
  return { mean, low: quantileOf(grid, chances, whole * 0.025), high: quantileOf(grid, chances, whole * 0.975) };
}

function quantileOf({ differences }: Gridded, chances: Float64Array, wanted: number): number {
  let before = 0;
  for (let at = 0; at <= places; at += 1) {
    const here = chances[at] ?? 0;
    if (before + here >= wanted) {
      const step = (differences[1] ?? 0) - (differences[0] ?? 0);
      return (differences[at] ?? 0) + step * ((wanted - before) / here - 0.5);
    }
    before += here;
  }
  return differences[places] ?? 0;
}
