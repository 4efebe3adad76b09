// The address of a page or a board as a document, with the filters that it has.
import { narrowings } from '#dashboards/panel-queries.ts';
import { boardNamed } from '#dashboards/board-names.ts';
import { addressOf } from '#lib/api.ts';
import type { Filters } from '#lib/filters.ts';

export const pdfWords = {
  button: 'PDF',
  label: (title: string) => `${title} as PDF, with these filters`,
};

export function pdfAddress(dashboard: string, account: string, filters: Filters, locale: string): string {
  const { from, to, timezone, compare } = filters;
  const target = String(filters.target);
  const query = new URLSearchParams({ account, from, to, timezone, compare, target, language: locale });
  for (const kind of [...narrowings, 'split'] as const) for (const value of filters[kind]) query.append(kind, value);
  if (filters.isGrainChosen) query.set('grain', filters.grain);
  if (filters.hours) query.set('hours', filters.hours);
  if (filters.isTogether) query.set('chosen', 'together');
  const board = boardNamed(dashboard);
  if (board !== undefined) return addressOf('GET /boards/{id}/page.pdf', { params: { id: board }, query });
  return addressOf('GET /dashboards/{id}.pdf', { params: { id: dashboard }, query });
}
