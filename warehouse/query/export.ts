// Streams the answer to a question of any size row by row: only cells with events.
import { accountsMissing, cellFiller, labelled } from './answer.ts';
import { askOf, type Ask, type AskInput } from './ask.ts';
import { compileAnswer } from './compile.ts';
import type { QueryContext } from './context.ts';
import type { Row } from '../engine.ts';
import { Refused } from '../errors.ts';
import { isQuiet } from './extent.ts';
import { isCounted } from './few-chats.ts';
import { metricOf } from '../definitions/metrics.ts';
import { slots, type Slot } from '../periods.ts';
import { runPooled, streamedOf } from './pooled.ts';
import { pooledAskOf, type PooledContext } from './pooled-context.ts';
import { run } from './run.ts';
import { isLocalPart } from './size.ts';
import { sourcesFor } from './sources.ts';
import { TimeSlice } from '../time-slice.ts';

interface AnswerExport {
  ask: Ask;
  /** Names of the columns: period, splits, measures, state. */
  columns: readonly string[];
  /** In order of time; each piece has some rows. Errors: Refused, Cancelled. */
  pieces: AsyncGenerator<Row[]>;
}

/** Errors: Refused, Cancelled. */
export async function exported(
  id: string,
  wanted: AskInput,
  context: QueryContext | PooledContext,
): Promise<AnswerExport> {
  const metric = metricOf(id);
  const ask = 'members' in context ? pooledAskOf(metric, wanted, context) : askOf(metric, wanted, context);
  if (ask.compare) throw new Refused('compare', 'a file holds one range: ask for the other one too', []);
  const columns = [
    ...(ask.grain === 'total' ? [] : ['period']),
    ...ask.split,
    ...Object.keys(metric.measures),
    'state',
    ...(ask.pool && !ask.split.includes('account') ? [accountsMissing] : []),
  ];
  // Running totals, sorting and hiding need all rows at once; such metrics and readers ask for few.
  if (metric.running || metric.sort || isCounted(ask, context.reader))
    return { ask, columns, pieces: whole(id, wanted, context) };
  const { engine } = context.snapshot;
  const streamed =
    'members' in context
      ? await streamedOf(metric, ask, context)
      : { sources: await sourcesFor(metric, ask, context), asking: context };
  if (!streamed) return { ask, columns, pieces: whole(id, wanted, context) };
  const { sources, asking } = streamed;
  const { sql, params } = await compileAnswer(metric, sources, context);
  const filled = cellFiller(metric, sources.ask, sources, asking);
  const calendar = calendarOf(sources.ask);
  async function* pieces(): AsyncGenerator<Row[]> {
    const turn = new TimeSlice();
    for await (const found of engine.queryInPieces(sql, params, true)) {
      const rows: Row[] = [];
      for (const raw of found) {
        if (turn.isOver()) await turn.next();
        const row = labelled(raw);
        // Decades without events may lie between two rows.
        for (; !calendar.isAt(row); calendar.goOn()) if (turn.isOver()) await turn.next();
        if (isQuiet(metric, row)) continue;
        rows.push(filled(calendar.slotOf(row))(row, row));
      }
      yield rows;
    }
  }
  return { ask, columns, pieces: pieces() };
}

async function* whole(id: string, wanted: AskInput, context: QueryContext | PooledContext): AsyncGenerator<Row[]> {
  yield (await ('members' in context ? runPooled(id, wanted, context) : run(id, wanted, context))).rows;
}

interface Calendar {
  /** Whether the current period is that of the row, or the last one. */
  isAt(row: Row): boolean;
  /** Holds the next period. */
  goOn(): void;
  slotOf(row: Row): Slot;
}

/** The calendar cells of rows; rows come in order of time, so that only one period is held at a time. */
function calendarOf(ask: Ask): Calendar {
  const parts = ask.split.filter(isLocalPart);
  const coming = slots(ask.timezone, ask.from, ask.to, ask.grain, parts);
  const keyOf = (it: Readonly<Record<string, unknown>>): string => parts.map((part) => String(it[part])).join(' ');
  let next = coming.next();
  let period: string | undefined;
  let present = new Map<string, Slot>();
  const goOn = (): void => {
    period = next.value?.period;
    present = new Map();
    for (; !next.done && next.value.period === period; next = coming.next())
      present.set(keyOf({ ...next.value }), next.value);
  };
  goOn();
  return {
    isAt: (row) => (row.period ?? undefined) === period || (next.done ?? false),
    goOn,
    slotOf(row) {
      const found = present.get(keyOf(row));
      if (!found) throw new Error(`${JSON.stringify(row)} lies outside of the calendar of the question`);
      return found;
    },
  };
}
