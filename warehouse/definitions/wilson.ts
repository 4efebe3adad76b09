// Wilson bounds and scores for shares of ratings. The order of operations reproduces the published digits.

import type { Row } from '../engine.ts';

/** z of a 95 % interval. */
export const confidence = 1.96;

/** z of the vendor's ranking. */
const rankingZ = 2.69;

/** The 95 % Wilson score interval of `good` out of `good + bad`; null without ratings. Both 0 to 1. */
export function wilson(good: number, bad: number): { low: number; high: number } | null {
  const n = good + bad;
  if (n === 0) return null;
  const p = good / n;
  const zz = confidence * confidence;
  const middle = p + zz / (2 * n);
  const reach = confidence * Math.sqrt((p * (1 - p) + zz / (4 * n)) / n);
  const whole = 1 + zz / n;
  return { low: Math.max(0, (middle - reach) / whole), high: Math.min(1, (middle + reach) / whole) };
}

/**
 * The vendor's ranking score, bit for bit (its help centre, "agent rankings"); null without ratings. TRICKY: it is not the textbook
 * Wilson bound, since the first term under the root is zz/n.
 */
export function rankingScore(good: number, bad: number): number | null {
  const n = good + bad;
  if (n === 0) return null;
  const p = good / n;
  const zz = (rankingZ * rankingZ) / (4 * n);
  return (p + 2 * zz - rankingZ * Math.sqrt((zz / n + p * (1 - p)) / n)) / (1 + 4 * zz);
}

/** The order of a ranking: highest score first, ties by login. */
export const byScore = (one: Row, other: Row): number =>
  Number(other.score) - Number(one.score) || (String(one.agent) < String(other.agent) ? -1 : 1);

const real = (sql: string): string => `cast(${sql} as double precision)`;

/** The same interval as SQL, for views: `sign` -1 for the lower bound, 1 for the upper. */
export function wilsonSql(good: string, bad: string, sign: -1 | 1): string {
  const n = real(`nullif(${good} + ${bad}, 0)`);
  const p = `(${real(good)} / ${n})`;
  const zz = real(String(confidence * confidence));
  const reach = `${real(String(confidence))} * sqrt((${p} * (1 - ${p}) + ${zz} / (4 * ${n})) / ${n})`;
  const bound = `(${p} + ${zz} / (2 * ${n}) ${sign < 0 ? '-' : '+'} ${reach}) / (1 + ${zz} / ${n})`;
  return sign < 0
    ? `case when ${n} > 0 then greatest(${real('0')}, ${bound}) end`
    : `case when ${n} > 0 then least(${real('1')}, ${bound}) end`;
}

/** The same score as SQL, for views. */
export function rankingScoreSql(good: string, bad: string): string {
  const n = real(`nullif(${good} + ${bad}, 0)`);
  const p = `(${real(good)} / ${n})`;
  const z = real(String(rankingZ));
  const zz = `(${real(String(rankingZ * rankingZ))} / (4 * ${n}))`;
  return `(${p} + 2 * ${zz} - ${z} * sqrt((${zz} / ${n} + ${p} * (1 - ${p})) / ${n})) / (1 + 4 * ${zz})`;
}
