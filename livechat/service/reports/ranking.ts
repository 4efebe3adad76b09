// Ranks agents by their ratings: the vendor's own lower bound, which is not the textbook Wilson bound.
import type { Each } from '#contract/reports.ts';

const Z = 2.69;

/** The score of `good` and `bad` ratings, at least one in all; reproduces the published samples of the vendor bit for bit. */
export function scoreOf(good: number, bad: number): number {
  const n = good + bad;
  const p = good / n;
  const zz = (Z * Z) / (4 * n);
  return (p + 2 * zz - Z * Math.sqrt((zz / n + p * (1 - p)) / n)) / (1 + 4 * zz);
}

/** Counts ratings per agent and ranks them: highest score first, ties by login. */
export function createRanking() {
  const counts = new Map<string, { good: number; bad: number }>();
  return {
    add(agent: string, is_good: boolean): void {
      const count = counts.get(agent) ?? { good: 0, bad: 0 };
      count[is_good ? 'good' : 'bad']++;
      counts.set(agent, count);
    },
    answer(): { ranking: Each<'chat_ranking'>[] } {
      const ranking = [...counts].map(([name, { good, bad }]) => ({
        good,
        bad,
        total: good + bad,
        score: scoreOf(good, bad),
        name,
      }));
      ranking.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
      return { ranking };
    },
  };
}
