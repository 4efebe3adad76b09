// Which groups, agents, tags and hours account for a difference; their contributions add up to it.
import type { Answer } from '../answer.ts';
import type { Cell } from '../cell.ts';
import { whatChanged, type Panel } from '../panel.ts';
import { changesSummary, dividedIn, type List } from '../pictures/changes.ts';
import type { Setting } from '../pictures/picture.ts';
import type { Measured } from './measured.ts';

export interface Parts {
  /** Name of the decomposed measure. */
  label: string;
  unit: Panel['unit'];
  /** Whether it is a substitute, because the number itself cannot be decomposed. */
  isInstead: boolean;
  lists: List[];
  summary: string;
}

/** `answers`: of the whole, and of it by each split. */
export function partsOf(
  metric: string,
  { measure, divided }: Measured,
  answers: Answer[],
  setting: Pick<Setting, 'locale' | 'names'>,
): Parts | undefined {
  if (!divided) return undefined;
  const by = answers.flatMap(({ split }) => split?.slice(0, 1) ?? []);
  const panel: Panel = { ...whatChanged, metric, unit: divided.unit, measures: [divided], by };
  const found = dividedIn(panel, answers, setting);
  const told = found.lists.filter(({ bars }) => bars.some(({ part }) => part));
  if (told.length === 0) return undefined;
  return {
    ...{ label: divided.label, unit: divided.unit, isInstead: divided.measure !== measure, lists: told },
    summary: changesSummary(found, setting.locale),
  };
}

/** The cell of a part: the same number of one group, agent, tag or hour. Nothing for an hour of several days. */
export function partCell(cell: Cell, split: string, key: string): Cell | undefined {
  const { period } = cell;
  if (split !== 'hour_of_day' || period === undefined) return { ...cell, at: { ...cell.at, [split]: key } };
  const isDay = /^\d{4}-\d\d-\d\d$/.test(period);
  return isDay ? { ...cell, grain: 'hour', period: `${period} ${key}:00`, from: period, to: period } : undefined;
}
