// Notes on days as flags on a time axis, and as lines of the tips at their place.
import { placeOf } from '../periods.ts';
import { words } from '../words.ts';
import type { Setting, Tip } from './picture.ts';
import type { RenderItemApi } from './render-item.ts';

/** Notes keyed by their position on the axis. */
function placed(labels: string[], { notes = [] }: Setting): Map<number, string[]> {
  const places = new Map<number, string[]>();
  for (const { day, text } of notes) {
    const place = placeOf(day, labels);
    if (place >= 0) places.set(place, [...(places.get(place) ?? []), text]);
  }
  return places;
}

/** A pole with a flag at each place that has a note, behind what may be pointed at. No series without one. */
export function flags(labels: string[], setting: Setting): object[] {
  const places = [...placed(labels, setting).keys()];
  if (!places.length) return [];
  const color = setting.theme.text;
  const draw = ({ coordSys }: { coordSys: { y: number; height: number } }, api: RenderItemApi) => {
    const x = Math.round(api.coord([Number(api.value(0)), 0])[0] ?? 0) + 0.5;
    const top = coordSys.y - 8;
    return {
      type: 'group',
      children: [
        {
          type: 'line',
          shape: { x1: x, y1: top, x2: x, y2: coordSys.y + coordSys.height },
          style: { stroke: color, lineWidth: 1, opacity: 0.55, lineDash: [2, 2] },
        },
        {
          type: 'polygon',
          shape: {
            points: [
              [x, top],
              [x + 9, top + 4],
              [x, top + 8],
            ],
          },
          style: { fill: color },
        },
      ],
    };
  };
  return [
    {
      type: 'custom',
      silent: true,
      tooltip: { show: false },
      clip: false,
      z: 5,
      encode: { x: 0 },
      data: places.map((place) => [place]),
      renderItem: draw,
    },
  ];
}

/** Adds notes to the tooltips at their position. */
export function withNotes(tips: Tip[], labels: string[], setting: Setting): Tip[] {
  const places = placed(labels, setting);
  return tips.map((tip, place) => {
    const texts = places.get(place) ?? [];
    return texts.length
      ? { ...tip, lines: [...tip.lines, ...texts.map((value) => ({ name: words.noted, value }))] }
      : tip;
  });
}
