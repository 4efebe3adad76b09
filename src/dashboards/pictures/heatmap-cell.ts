// Draws one cell of a heatmap: a filled square, a small one where little is behind the number, a hatched one without a number.
import type { Theme } from '../theme.ts';
import type { Shade } from './heatmap-shades.ts';
import type { RenderItemApi } from './render-item.ts';

/** The renderItem of an ECharts custom series over [hour, weekday, shade or -1, 1 where few chats are behind it]. */
export function cellDrawer(theme: Theme, _steps: Shade[]) {
  return (_params: unknown, api: RenderItemApi) => {
    const [cx = 0, cy = 0] = api.coord([Number(api.value(0)), Number(api.value(1))]);
    const size = api.size([1, 1]);
    const [w = 0, h = 0] = Array.isArray(size) ? size : [size, size];
    const gap = w > 24 ? 2 : 1;
    const centred = (width: number, height: number) => ({ x: cx - width / 2, y: cy - height / 2, width, height });
    const whole = centred(w - gap, h - gap);
    const isSmall = api.value(3) === 1;
    const box = isSmall ? centred(whole.width * 0.4, whole.height * 0.4) : whole;
    const shade = Number(api.value(2));
    const fill = shade < 0 ? theme.canvas : (theme.heat[shade] ?? theme.canvas);
    const outline = shade < 0 ? { stroke: theme.hatch, lineWidth: 1 } : {};
    const square = { type: 'rect', shape: { ...box, r: 2 }, style: { fill, ...outline } };
    if (shade < 0) return { type: 'group', children: [square, ...hatch(box, theme)] };
    // A small square answers the pointer in all of its place.
    const place = { type: 'rect', shape: whole, style: { fill: theme.canvas } };
    return isSmall ? { type: 'group', children: [place, square] } : square;
  };
}

function hatch(box: { x: number; y: number; width: number; height: number }, theme: Theme) {
  const lines = [];
  for (let offset = -box.height + 5; offset < box.width; offset += 7) {
    const start = Math.max(0, offset);
    const end = Math.min(box.width, offset + box.height);
    lines.push({
      type: 'line',
      silent: true,
      shape: {
        x1: box.x + start,
        y1: box.y + box.height - (start - offset),
        x2: box.x + end,
        y2: box.y + box.height - (end - offset),
      },
      style: { stroke: theme.hatch, lineWidth: 1 },
    });
  }
  return lines;
}
