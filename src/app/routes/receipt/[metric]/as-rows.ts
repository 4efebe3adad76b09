// The table of chats for a cell's days and filters: those of the receipt, and possibly more.
import { chosenOf } from '#dashboards/variables.ts';
import type { Receipt } from '#api/contract/receipts.ts';

/** What chats as rows can be narrowed by. */
const filters = ['group', 'agent', 'tag', 'country', 'variable'];
const day_ms = 86_400_000;
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days of a label such as `2026-05-05`, `2026-W19` or `2026-05`; undefined for others. */
export function daysOf(label: string): { from: string; to: string } | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(label)) return { from: label, to: label };
  const [, year = '', week] = /^(\d{4})-W(\d\d)$/.exec(label) ?? [];
  if (week) {
    const fourth = Date.UTC(Number(year), 0, 4); // lies in the first week
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day_ms + (Number(week) - 1) * 7 * day_ms;
    return { from: dateOf(monday), to: dateOf(monday + 6 * day_ms) };
  }
  const [, of = '', month] = /^(\d{4})-(\d\d)$/.exec(label) ?? [];
  if (!month) return undefined;
  return { from: `${label}-01`, to: dateOf(Date.UTC(Number(of), Number(month), 0)) };
}

/** Values of other variables: one of them is a split, which leaves one value of it. */
const otherThan = (variable: string, values: Receipt['filters'][string] = []) =>
  values.filter((text) => chosenOf(String(text))?.variable !== variable);

/** The query of the page; undefined if a part of the cell is not a filter there, such as an hour or chats without a tag. */
export function asRowsQuery(
  receipt: Pick<Receipt, 'from' | 'to' | 'period' | 'timezone' | 'at' | 'variable' | 'filters'>,
  account: string | null,
): string | undefined {
  const days = receipt.period === null ? receipt : daysOf(receipt.period);
  if (!days) return undefined;
  const from = days.from > receipt.from ? days.from : receipt.from;
  const to = days.to < receipt.to ? days.to : receipt.to;
  const query = new URLSearchParams({ from, to, timezone: receipt.timezone, ...(account ? { account } : {}) });
  const narrowed = { ...receipt.filters };
  for (const [split, value] of Object.entries(receipt.at)) {
    if (value === null || value === '') return undefined;
    if (split !== 'variable') narrowed[split] = [value];
    else if (receipt.variable === undefined) return undefined;
    else narrowed[split] = [...otherThan(receipt.variable, narrowed[split]), `${receipt.variable}:${value}`];
  }
  for (const [name, values] of Object.entries(narrowed)) {
    if (!filters.includes(name)) return undefined;
    for (const value of values) query.append(name, String(value));
  }
  return `?${query}`;
}
