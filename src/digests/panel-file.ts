// One panel as a file of numbers, as asked on a page: the same sheet that a digest of it has.
import type { NamesBySplit } from '#dashboards/names.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import type { Answer } from '#dashboards/answer.ts';
import { fileName } from '#dashboards/file-name.ts';
import type { Panel } from '#dashboards/panel.ts';
import type { TargetResult } from '#dashboards/targets.ts';
import { questions } from '#dashboards/questions.ts';
import { splitPanel } from '#dashboards/split-panel.ts';
import { isSplittable, splitsFor, variableSplitsFor } from '#dashboards/splits.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { Refused } from '#warehouse/errors.ts';
import { described, metricOf } from '#warehouse/definitions/metrics.ts';
import { run } from '#warehouse/query/run.ts';
import { rendered } from './render/renderer.ts';
import { csvFileOf } from './tables/csv.ts';
import type { Tabled } from './tables/sheets.ts';

const kinds = ['csv', 'xlsx'] as const;

const most_rows = 50_000;
/** So few are written here in a moment. */
const few_rows = 2000;
export type PanelFileKind = (typeof kinds)[number];

interface NamedPanel {
  dashboard: string;
  panel: Panel;
  kind: PanelFileKind;
}

/** `file` is the panel's id with an extension, such as `volume.csv`. Errors: Refused, naming the choices. */
export function panelNamed(dashboard: string, file: string): NamedPanel {
  const page = dashboards.find(({ id }) => id === dashboard);
  const pages = dashboards.map(({ id }) => id);
  if (!page) throw new Refused('panel', `there is no page ${dashboard}, only ${pages.join(', ')}`, pages);
  const cut = file.lastIndexOf('.');
  const panel = page.panels.find(({ id }) => id === file.slice(0, cut));
  const kind = kinds.find((it) => it === file.slice(cut + 1));
  const files = page.panels.flatMap(({ id }) => kinds.map((ending) => `${id}.${ending}`));
  if (!panel || !kind) throw new Refused('panel', `${dashboard} has no file ${file}, only ${files.join(', ')}`, files);
  return { dashboard, panel, kind };
}

const coarseness = ['hour', 'day', 'week', 'month'];

/** The requested grain, or the next coarser one that the metric has, as on the page. */
function grainFor(metric: string, asked: string): string {
  const grains: readonly string[] = metricOf(metric).grains;
  return coarseness.slice(coarseness.indexOf(asked)).find((grain) => grains.includes(grain)) ?? asked;
}

/** The panel with the split of the question; `titles` are those of declared variables. Errors: Refused, naming the choices. */
export function splitAs(
  panel: Panel,
  [by, ...others]: readonly string[] = [],
  titles: Readonly<Record<string, string>> = {},
): Panel {
  if (by === undefined) return panel;
  const metric = described(metricOf(panel.metric));
  const declared = Object.keys(titles).map((id) => ({ id }));
  const choices = isSplittable(panel)
    ? [...splitsFor(panel, metric, true), ...variableSplitsFor(metric, declared)]
    : [];
  const name = choices.find((choice) => choice === by);
  if (name && others.length === 0) return splitPanel(panel, name, metric, titles);
  const why = choices.length > 0 ? `one of ${choices.join(', ')} only` : 'nothing, it is divided as it is';
  throw new Refused('split', `the panel ${panel.id} can be split by ${why}`, choices);
}

/** `wanted` has the dates, zone, grain and filters of the page. Errors: Refused, RendererBusy, Cancelled. */
export async function panelFile(
  { dashboard, panel, kind }: NamedPanel,
  wanted: AskInput,
  context: QueryContext,
  names: NamesBySplit,
  targets: readonly TargetResult[] = [],
): Promise<{ name: string; bytes: Uint8Array }> {
  const { grain = 'day', compare, target, split: _, ...asked } = wanted;
  const ask = async ({ metric, split, grain: own, compare: isCompared }: ReturnType<typeof questions>[number]) =>
    (await run(
      metric,
      {
        ...asked,
        grain: own === 'total' ? 'total' : grainFor(metric, grain),
        split,
        ...(isCompared ? { compare } : {}),
        ...(metricOf(metric).target === undefined ? {} : { target }),
      },
      context,
    )) as unknown as Answer;
  const answers = await Promise.all(questions(panel).map(ask));
  const { title, sentence } = panel;
  const total = answers[0];
  const isTile = panel.picture === 'tile';
  const about: Tabled = {
    dated: context.snapshot.published_at,
    cover: { label: [total?.from, total?.to].join(' to ') },
    names,
    targets,
    keyFigures: isTile && total ? [{ title, sentence, figures: [], panel, answer: total }] : [],
    sections: isTile ? [] : [{ title, sentence, keyFigures: [], panels: [{ panel, dashboard, answers }] }],
  };
  const name = fileName(context.account.id, title, total?.from ?? '', total?.to ?? '', kind);
  const cells = answers.reduce((sum, { rows }) => sum + rows.length, 0);
  if (cells > most_rows)
    throw new Refused(
      'grain',
      `${cells} rows are too many for this file, at most ${most_rows}: ask for longer periods (grain) or fewer days, or take ` +
        `/api/metrics/${panel.metric}.csv, which may have any size`,
      ['longer periods', 'fewer days'],
    );
  return {
    name,
    bytes: cells <= few_rows && kind === 'csv' ? csvFileOf(about) : await rendered({ format: `panel.${kind}`, about }),
  };
}
