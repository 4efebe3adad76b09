// A small seeded random source (sfc32) and the few distributions the simulated account draws from.

/** A stream of random numbers, determined by seed, purpose and numbers. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d = 1;

  constructor(seed: number, purpose: string, ...numbers: number[]) {
    let hash = mix32(seed >>> 0);
    for (let i = 0; i < purpose.length; i++) hash = mix32(hash ^ purpose.charCodeAt(i));
    for (const number of numbers) hash = mix32(hash ^ mix32(number + 0x9e3779b9));
    this.a = hash;
    this.b = mix32(hash ^ 0x85ebca6b);
    this.c = mix32(hash ^ 0xc2b2ae35);
    for (let i = 0; i < 8; i++) this.word();
  }

  /** An unsigned 32-bit integer. */
  word(): number {
    const t = (this.a + this.b + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    this.c |= 0;
    return t >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.word() / 4294967296;
  }

  /** An integer in [low, high], both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.unit() * choices.length)];
    if (choice === undefined) throw new RangeError('nothing to pick from');
    return choice;
  }

  /** The index of one of the weights, as likely as its weight. */
  weighted(weights: readonly number[]): number {
    let left = this.unit() * weights.reduce((sum, weight) => sum + weight, 0);
    for (let i = 0; i < weights.length; i++) {
      left -= weights[i] ?? 0;
      if (left < 0) return i;
    }
    return weights.length - 1;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }

  /** A positive number, half of them below the median. */
  lognormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  /** A Poisson-distributed count with a given mean. */
  poisson(mean: number): number {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const floor = Math.exp(-mean);
    let count = 0;
    for (let product = this.unit(); product > floor; product *= this.unit()) count++;
    return count;
  }

  /** Lower-case hex digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.word().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }
}

/** Scrambles 32 bits one to one, so that different inputs never meet. */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
