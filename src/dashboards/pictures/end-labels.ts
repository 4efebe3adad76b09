// Names lines where they end, so that few lines need no key; names that would touch are moved apart.
import type { ThemeToken } from '../theme.ts';
import type { Setting } from './picture.ts';
import { colour } from './telling.ts';

/** A name at the height of the last number of `values`. */
export interface Ending {
  name: string;
  token: ThemeToken;
  values: (number | null)[];
}

/** Room at the right of the drawing, and height of two lines of a name, in pixels. */
export const ROOM = 104;
const LINE = 15;
const WIDTH = ROOM - 10;

/** One unseen series for each name. `axis` and `height` tell how far apart two numbers are drawn. */
export function endLabels(
  endings: Ending[],
  axis: { min: number; max: number },
  height: number,
  setting: Setting,
): object[] {
  const known = endings.flatMap((ending) => {
    const index = ending.values.findLastIndex((value) => value !== null);
    const value = ending.values[index];
    if (value == null) return [];
    const lines = Math.ceil((ending.name.length * 6.4) / WIDTH);
    return [{ ...ending, index, value, at: ((axis.max - value) / (axis.max - axis.min || 1)) * height, lines }];
  });
  known.sort((a, b) => a.at - b.at);
  const places = apart(known, height);
  return known.map(({ name, token, values, index, value, at }, place) => ({
    type: 'line',
    silent: true,
    tooltip: { show: false },
    lineStyle: { width: 0 },
    showAllSymbol: true,
    data: values.map((_, point) =>
      point === index ? { value, symbol: 'circle', symbolSize: 0.1 } : { value: null, symbol: 'none' },
    ),
    label: {
      show: true,
      position: 'right',
      distance: 8,
      offset: [0, (places[place] ?? at) - at],
      formatter: () => name,
      width: WIDTH,
      overflow: 'break',
      color: colour(token, setting),
      fontSize: 12,
      fontWeight: 500,
      lineHeight: LINE,
    },
  }));
}

/** Middles of names from top to bottom, pushed down where they would touch and back up from the lower end. */
function apart(names: { at: number; lines: number }[], height: number): number[] {
  const places = names.map(({ at }) => at);
  const gap = (index: number) => (((names[index]?.lines ?? 1) + (names[index + 1]?.lines ?? 1)) / 2) * LINE + 2;
  for (let index = 1; index < places.length; index++)
    places[index] = Math.max(places[index] ?? 0, (places[index - 1] ?? 0) + gap(index - 1));
  const last = places.length - 1;
  // The lowest stays above the axis and its labels.
  const lowest = height - ((names[last]?.lines ?? 1) * LINE) / 2;
  if ((places[last] ?? 0) > lowest) places[last] = lowest;
  for (let index = last - 1; index >= 0; index--)
    places[index] = Math.min(places[index] ?? 0, (places[index + 1] ?? 0) - gap(index));
  return places;
}
