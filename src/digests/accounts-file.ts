// The table of accounts as a file of numbers: one row per account and one of all together, every column followed by its compared value.
import { accountColumnsOf, accountQuestions, accountRows } from '#dashboards/accounts.ts';
import type { Answer } from '#dashboards/answer.ts';
import { comparedDays } from '#dashboards/comparison.ts';
import { Refused } from '#warehouse/errors.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import type { PooledContext } from '#warehouse/query/pooled-context.ts';
import type { AgentsTable } from './agents-file.ts';
import { plainText } from './plain-text.ts';
import type { SheetValue } from './tables/cells.ts';
import { sheetFormats, type SheetColumn } from './tables/number-formats.ts';

/** `wanted` has the dates, zone and comparison of the page. Errors: Refused, when no column can be answered. */
export async function accountsTable(wanted: AskInput, context: PooledContext): Promise<AgentsTable> {
  const answers: Answer[] = [];
  const refusals: Record<string, string> = {};
  let refused: Refused | undefined;
  for (const { metric, split } of accountQuestions()) {
    try {
      answers.push((await runPooled(metric, { ...wanted, grain: 'total', split }, context)) as unknown as Answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals[metric] = error.message;
      refused ??= error;
    }
  }
  const [first] = answers;
  if (!first) throw refused ?? new Error('no column was asked');
  const shown = accountColumnsOf(answers);
  const accounts = context.members.map(({ account }) => account.id);
  const { rows, together } = accountRows(shown, accounts, answers, refusals, 'en-GB');
  const hasBefore = wanted.compare !== undefined;
  const columns = shown.flatMap(({ title, unit }): SheetColumn[] => {
    const head = unit === 'seconds' ? `${title} (${unit})` : title;
    const format = sheetFormats[unit];
    return [{ title: head, format }, ...(hasBefore ? [{ title: `${head}, ${comparedDays(answers)}`, format }] : [])];
  });
  return {
    ...{ from: first.from, to: first.to },
    columns: [{ title: 'Account', format: 'general' }, ...columns],
    rows: [...rows, together].map(({ name, cells }): SheetValue[] => [
      plainText(name),
      ...cells.flatMap(({ value, earlier }): SheetValue[] => [value, ...(hasBefore ? [earlier] : [])]),
    ]),
  };
}
