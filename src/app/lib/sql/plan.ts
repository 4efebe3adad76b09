// The plan of a statement as the engine explains it: operators with the rows that are expected of each, in the field's words.

export interface PlanOperator {
  name: string;
  /** As the engine expects; null where it says nothing. */
  rows: number | null;
  /** What it works on, such as a table, conditions or expressions. */
  about: { title: string; text: string }[];
  /** Where its rows come from. */
  inputs: PlanOperator[];
}

const names: Readonly<Record<string, string>> = {
  SEQ_SCAN: 'Sequential scan',
  COLUMN_DATA_SCAN: 'Scan of values',
  DUMMY_SCAN: 'One row',
  EMPTY_RESULT: 'No rows',
  CTE: 'Common table expression',
  CTE_SCAN: 'Scan of a common table expression',
  RECURSIVE_CTE: 'Recursive common table expression',
  HASH_GROUP_BY: 'Hash aggregate',
  PERFECT_HASH_GROUP_BY: 'Perfect hash aggregate',
  PARTITIONED_AGGREGATE: 'Partitioned aggregate',
  UNGROUPED_AGGREGATE: 'Aggregate',
  ORDER_BY: 'Sort',
  STREAMING_LIMIT: 'Limit',
  TOP_N: 'Top N',
  IE_JOIN: 'Inequality join',
};

/** `NESTED_LOOP_JOIN` is a nested loop join. */
function nameOf(operator: string): string {
  const known = names[operator.trim()];
  if (known !== undefined) return known;
  const spoken = operator.trim().toLowerCase().replaceAll('_', ' ');
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
}

const said = 'Estimated Cardinality';
/** What the name says already. */
const unsaid = new Set([said, 'Type']);

function operatorIn(it: unknown): PlanOperator | undefined {
  if (typeof it !== 'object' || it === null) return undefined;
  const { name, children, extra_info } = it as Partial<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  const info = typeof extra_info === 'object' && extra_info !== null ? Object.entries(extra_info) : [];
  const expected = Number(info.find(([title]) => title === said)?.[1] ?? NaN);
  const about = info
    .filter(([title]) => !unsaid.has(title))
    .map(([title, value]) => ({ title, text: textOf(title, value) }))
    .filter(({ text }) => text !== '');
  const inputs = Array.isArray(children) ? children.flatMap((child) => operatorIn(child) ?? []) : [];
  return { name: nameOf(name), rows: Number.isFinite(expected) ? expected : null, about, inputs };
}

const snapshot = /"\d{8}-\d{6}-\d+"\./g;

/** Tables without the name of their file. */
function textOf(title: string, value: unknown): string {
  const text = [value].flat().map(String).join(', ').replaceAll(snapshot, '').trim();
  return title === 'Table' ? text.replace(/^(?:"(?:[^"]|"")*"|\w+)\.(?=\w+\.\w+$)/, '') : text;
}

/** Of the rows of `explain (format json)`; undefined where they are something else. */
export function planIn(rows: readonly (readonly unknown[])[]): PlanOperator | undefined {
  const [, text] = rows.find(([key]) => key === 'physical_plan') ?? [];
  try {
    const [top]: unknown[] = [JSON.parse(String(text))].flat();
    return operatorIn(top);
  } catch {
    return undefined;
  }
}

const prefix = 'explain (format json)\n';

/** The statement that explains it, one line longer. One that explains already is explained as this one does. */
export const explaining = (statement: string): string =>
  prefix +
  statement.replace(
    /^((?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*)(explain\b(?:\s+analyze\b)?(?:\s*\([^)]*\))?)/i,
    (_, before: string, word: string) => before + word.replaceAll(/[^\n]/g, ' '),
  );
