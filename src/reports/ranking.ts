// A ranking of agents: the rows of a metric in the order in which the metric ranks them.
import type { Each } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';
import { whole } from './rounding.ts';

export const rankingOf = (rows: readonly Row[]): { ranking: Each<'chat_ranking'>[] } => ({
  ranking: rows.map(({ good, bad, total, score, agent }) => ({
    good: whole(good),
    bad: whole(bad),
    total: whole(total),
    score: Number(score),
    name: String(agent),
  })),
});
