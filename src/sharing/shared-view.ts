// The content of a shared link: a page or one of its panels, with frozen filters. Pure values.
import { z } from 'zod';
import { comparisons, narrowings } from '#dashboards/panel-queries.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { boardNamed } from '#dashboards/board-names.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { isSplit } from '#dashboards/splits.ts';
import { presets } from '#dashboards/ranges.ts';
import { first_day, last_day } from '#warehouse/periods.ts';
import { isZone } from '#warehouse/zone.ts';

const ids: readonly string[] = dashboards.map(({ id }) => id);
const panelIds: readonly string[] = dashboards.flatMap(({ id, panels }) => panels.map((panel) => `${id}/${panel.id}`));

const day = z.iso.date().refine((date) => date >= first_day && date <= last_day, {
  error: `must be a day from ${first_day} to ${last_day}`,
});
const named = z.array(z.string().min(1).max(320)).max(500).default([]);

/** A preset goes on with the days; from and to stay. */
const filters = z
  .strictObject({
    preset: z.enum(presets).exactOptional(),
    from: day.exactOptional(),
    to: day.exactOptional(),
    timezone: z.string().refine(isZone, { error: 'must be an IANA zone such as Europe/Warsaw' }).exactOptional(),
    grain: z.enum(['hour', 'day', 'week', 'month']).exactOptional(),
    compare: z.enum(comparisons).default('previous'),
    target: z.int().min(0).max(86_400).default(30),
    group: z.array(z.int().nonnegative()).max(500).default([]),
    agent: named,
    tag: named,
    variable: z
      .array(
        z
          .string()
          .max(140)
          .refine((text) => chosenOf(text) !== undefined, { error: 'must be as plan:pro' }),
      )
      .max(500)
      .default([]),
    split: z
      .array(z.string().refine(isSplit, { error: 'must be a panel and what it is split by, such as volume.group' }))
      .max(100)
      .default([]),
    together: z.boolean().default(true),
    hours: z.literal('business').exactOptional(),
  })
  .refine(({ preset, from, to }) => (preset === undefined ? from !== undefined && to !== undefined : !from && !to), {
    error: 'must have a preset, or from and to',
  })
  .refine(({ from = '', to = '' }) => from <= to, { error: 'must have a first day that is not after the last' });

/** A board, or one panel of it: `board/1f0c/overview-volume`. */
export function boardOfPage(page: string): { board: string; panel: string | undefined } | undefined {
  const [kind, id, panel] = page.split('/');
  const board = boardNamed(`${kind}/${id}`);
  return board === undefined ? undefined : { board, panel };
}

const isPage = (value: string): boolean =>
  ids.includes(value) || panelIds.includes(value) || /^board(\/[\w-]{1,64}){1,2}$/.test(value);

export const sharedViewShape = z.strictObject({
  page: z.string().refine(isPage, {
    error: `must be a page (${ids.join(', ')}), one of its panels such as ${panelIds.find((id) => id.endsWith('/volume'))}, or a board`,
  }),
  /** A board as it was when it was shared: what becomes of it later is not shown to others by that. */
  board: z.strictObject({ title: z.string(), panels: panelsShape }).exactOptional(),
  account: z.string().min(1).max(200),
  filters,
});

export type SharedView = z.infer<typeof sharedViewShape>;

/** The stored content of a link; undefined if it shows something that this version no longer has. */
export function storedView(kept: unknown): SharedView | undefined {
  const parsed = sharedViewShape.safeParse(kept);
  return parsed.success ? parsed.data : undefined;
}

/** "overview/volume, account default, preset 30d, compare previous, group 2": for the audit. */
export function viewText({ page, account, board, filters: { target: _, together, ...filters } }: SharedView): string {
  const chosen = Object.entries(filters).flatMap(([name, value]) => [value].flat().map((one) => `${name} ${one}`));
  const isSeveral = narrowings.some((name) => filters[name].length > 1);
  return [
    board ? `${page} (${board.title})` : page,
    `account ${account}`,
    ...chosen,
    ...(isSeveral && together ? ['together'] : []),
  ].join(', ');
}
