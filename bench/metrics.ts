// Asks the listed questions of a generated warehouse and holds them against the same questions written by hand.
import { rmSync } from 'node:fs';
import { wantedOf } from '#api/question.ts';
import { ownContext, type WarehouseAccount } from '#warehouse/query/context.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { run } from '#warehouse/query/run.ts';
import { elapsed, median, medians, printTable, shown } from './clock.ts';
import { askDoor, overviewOf } from './door.ts';
import { folderOf, generated, now, zone } from './generate.ts';
import { handwrittenFor } from './handwritten.ts';
import { publishTimes } from './publish.ts';
import { measured, spans, type Measured, type Span } from './questions.ts';

export const account: WarehouseAccount = { id: 'default', timezone: zone, since: '2023-10-01' };

export interface Choice {
  keep: boolean;
  /** Part of the names of the questions to ask. */
  only: string | undefined;
  range: string | undefined;
}

interface Figure {
  it: Measured;
  span: Span;
  ours: number;
  byHand: number;
}

const targets: Record<Span, number> = { '30d': 15, '1y': 60, '3y': 150 };

async function figureOf(engine: Store, it: Measured, span: Span): Promise<Figure> {
  const statement = handwrittenFor(it.name, span);
  const wanted = wantedOf(metricOf(it.metric), { ...it.question, ...spans[span] });
  const context = ownContext(engine, account, now);
  const [ours = NaN, byHand = NaN] = await medians([
    () => run(it.metric, wanted, context),
    () => engine.query(statement),
  ]);
  return { it, span, ours, byHand };
}

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(34) + cells.map((cell) => cell.padStart(8)).join('');

const head = (order: readonly Span[]): string =>
  line(
    'question (ms)',
    order.flatMap((span) => [span, 'by hand', 'ratio']),
  );

function row(it: Measured, figures: readonly Figure[], order: readonly Span[]): string {
  const cells = order.flatMap((span) => {
    const found = figures.find((figure) => figure.it === it && figure.span === span);
    return found ? [shown(found.ours), shown(found.byHand), (found.ours / found.byHand).toFixed(2)] : ['', '', ''];
  });
  return line(it.name, cells);
}

const verdict = (value: number, target: number): string =>
  `${value <= target ? 'reached' : 'NOT reached'}, target ${target}`;

function printSummary(figures: readonly Figure[], order: readonly Span[]): void {
  const rows: string[][] = [];
  const ratios = (of: readonly Figure[]): number[] => of.map(({ ours, byHand }) => ours / byHand);
  for (const span of order) {
    const own = figures.filter((figure) => figure.span === span);
    if (own.length === 0) continue;
    const middle = median(own.map(({ ours }) => ours));
    const ratio = median(ratios(own));
    rows.push([`${span}: median of ${own.length} questions, ms`, shown(middle), verdict(middle, targets[span])]);
    rows.push([`${span}: median ratio to by hand`, ratio.toFixed(2), verdict(ratio, 1.5)]);
    rows.push([`${span}: largest ratio to by hand`, Math.max(...ratios(own)).toFixed(2), '']);
  }
  printTable(['summary', 'figure', ''], rows);
}

async function printDoor(engine: Store): Promise<void> {
  const first = { metric: 'total_chats', question: { timezone: zone, ...spans['1y'] } };
  const again = await askDoor(engine, first);
  const page = await overviewOf(engine, spans['1y']);
  const rest = await overviewOf(engine, spans['1y'], ({ picture }) => picture === 'changes');
  printTable(
    ['the door', 'figure', ''],
    [
      ['the same question again, ms', again.toFixed(3), verdict(again, 1)],
      [`overview over 1y, ${page.questions} questions together, ms`, shown(page.together), verdict(page.together, 250)],
      [`of these without what changed most, ${rest.questions}, ms`, shown(rest.together), ''],
      ['overview over 1y again, ms', shown(page.again), ''],
    ],
  );
}

/** Prints everything; between questions nothing is cached except by the engine. */
export async function benchMetrics(chats: number, { keep, only, range }: Choice): Promise<void> {
  const file = await generated(chats);
  const engine = await openWarehouse(file, { readOnly: true });
  const order = (Object.keys(spans) as Span[]).filter((span) => range === undefined || span === range);
  const figures: Figure[] = [];
  console.log(`\nmetrics over ${chats} chats, without a cache, medians`);
  console.log(head(order));
  try {
    for (const it of measured.filter(({ name }) => only === undefined || name.includes(only))) {
      for (const span of order) {
        if (!it.spans || it.spans.includes(span)) figures.push(await figureOf(engine, it, span));
      }
      console.log(row(it, figures, order));
    }
    console.log('');
    printSummary(figures, order);
    if (only === undefined) {
      console.log('');
      await printDoor(engine);
    }
  } finally {
    await engine.close();
  }
  if (only === undefined) await printPublish(file, chats);
  if (!keep) rmSync(folderOf(chats), { recursive: true, force: true });
}

async function printPublish(file: string, chats: number): Promise<void> {
  const engine = await openWarehouse(file);
  try {
    const times: number[] = [];
    const rows = await publishTimes(engine, async (work) => void times.push(await elapsed(work)));
    const middle = median(times) / 1000;
    const perTen = (middle * 10_000_000) / rows;
    console.log('');
    printTable(
      ['publishing', 'figure', ''],
      [
        [`${rows} fact rows of ${chats} chats, s`, shown(middle), ''],
        ['per 10 M fact rows, s', shown(perTen), verdict(perTen, 1)],
      ],
    );
  } finally {
    await engine.close();
  }
}
