// How the cells of the reconciliation are ordered, named and followed to their receipts.
import type { Metric } from '#api/contract/metrics.ts';
import type { CellCounts, ComparedCell, Reconciliation } from '#api/contract/reconciliation.ts';
import type { CellQuestion, Cell } from '#dashboards/cell.ts';
import { countsOf } from './agreement.ts';

/** Metrics with the largest share of complete cells that do not agree first; among equals the unexplained first. */
export function worstFirst(by: Reconciliation['by_metric']): { metric: string; by: CellCounts }[] {
  const ranked = Object.entries(by).map(([metric, reasons]) => {
    const { complete, agree } = countsOf(reasons);
    const share = complete ? (complete - agree) / complete : 0;
    return {
      metric,
      by: reasons,
      unexplained: reasons.unexplained ?? 0,
      share,
      near: (reasons.rounding ?? 0) / (complete || 1),
    };
  });
  ranked.sort(
    (a, b) => b.unexplained - a.unexplained || b.share - a.share || b.near - a.near || a.metric.localeCompare(b.metric),
  );
  return ranked.map(({ metric, by }) => ({ metric, by }));
}

/** The question of a cell's receipt. */
export function cellAt(
  row: ComparedCell,
  metrics: Metric[],
): { cell: Cell; asking: CellQuestion; currency: string; agent: string; isRanking: boolean } {
  const cut = row.measure.indexOf(':');
  const name = cut < 0 ? row.measure : row.measure.slice(0, cut);
  const behind = cut < 0 ? '' : row.measure.slice(cut + 1);
  const metric = metrics.find(({ id }) => id === row.metric);
  const isRanking = metric?.always?.includes('agent') === true;
  const [currency, agent] = isRanking ? ['', behind] : [behind, ''];
  const measure = metric?.compared_as?.[name] ?? name;
  const isSplit = row.split !== 'account' && !isRanking;
  const day = row.period.slice(0, 10);
  const cell: Cell = {
    metric: row.metric,
    measure: metric && !(measure in metric.measures) ? (Object.keys(metric.measures)[0] ?? measure) : measure,
    grain: 'asked',
    period: row.period,
    at: {
      ...(isSplit ? { [row.split]: row.split_value } : {}),
      ...(currency ? { currency } : {}),
      ...(agent ? { agent } : {}),
    },
  };
  const asking: CellQuestion = {
    from: day,
    to: day,
    timezone: row.timezone,
    grain: row.grain,
    group: isRanking && row.split === 'group' ? [row.split_value] : [],
    agent: [],
    tag: [],
    variable: [],
  };
  return { cell, asking, currency, agent, isRanking };
}
