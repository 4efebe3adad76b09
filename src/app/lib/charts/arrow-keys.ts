// Where an arrow key leads on a chart: to the next place that has a number, or to another number of the same place.
import type { Chart, TipLine } from '#dashboards/pictures/picture.ts';

/** A position in a chart, and the index of a number there. */
export interface Spot {
  index: number;
  line: number;
}

export const numbersAt = (chart: Pick<Chart, 'tips'>, index: number): TipLine[] =>
  chart.tips[index]?.lines.filter(({ cell }) => cell) ?? [];

/** The last position with a number: the newest one, or the end of a list. */
export function firstSpot(chart: Pick<Chart, 'tips' | 'hits'>): Spot | undefined {
  const places = chart.tips.map((_, index) => index);
  const has = (index: number) => numbersAt(chart, index).length > 0;
  const index = chart.hits === 'row' ? places.find(has) : places.findLast(has);
  return index === undefined ? undefined : { index, line: 0 };
}

/** `columns`: of a chart of cells. Undefined for a key that leads nowhere. */
export function walked(chart: Pick<Chart, 'tips' | 'hits'>, at: Spot, key: string, columns: number): Spot | undefined {
  const last = chart.tips.length - 1;
  const along = chart.hits === 'row' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  if (key === 'Home') return search(chart, 0, 1);
  if (key === 'End') return search(chart, last, -1);
  const step = along.indexOf(key) * 2 - 1;
  if (step >= -1 && along.includes(key)) return search(chart, at.index + step, step, at.line) ?? at;
  const across = ['ArrowUp', 'ArrowDown'].indexOf(key) * 2 - 1;
  if (across < -1 || chart.hits === 'row') return undefined;
  if (chart.hits === 'cell') return search(chart, at.index + across * columns, across * columns) ?? at;
  const count = numbersAt(chart, at.index).length;
  return { ...at, line: (Math.min(at.line, count - 1) + across + count) % count };
}

function search(chart: Pick<Chart, 'tips'>, from: number, step: number, line = 0): Spot | undefined {
  for (let index = from; index >= 0 && index < chart.tips.length; index += step)
    if (numbersAt(chart, index).length > 0) return { index, line };
  return undefined;
}
