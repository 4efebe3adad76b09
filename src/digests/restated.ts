// Which figures of the previous digest have changed since, by how much, and because of what kind of changes.
import { figure, numberOf } from '#dashboards/answer.ts';
import { round, say } from '#dashboards/numbers.ts';
import { soldRow } from '#dashboards/sold.ts';
import { underHours } from '#dashboards/business-hours.ts';
import type { Panel } from '#dashboards/panel.ts';
import { restatements, type RestatedCell } from '#reports/restatements/restate.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { digestQuestions, type Scope } from './digest-questions.ts';
import { periodWords } from './cover.ts';
import { wantedOf } from './document.ts';
import { changeWords, words } from './words.ts';

export interface Restated {
  intro: string;
  lines: { text: string; why: string }[];
}

/** The previous send: its snapshot and scope. */
interface Before {
  context: QueryContext;
  scope: Scope;
}

/** Empty if all figures of the last digest are unchanged. */
export async function restatedSince(
  before: Before,
  now: QueryContext,
  wanted: Parameters<typeof wantedOf>[0],
  locale: string,
): Promise<Restated | undefined> {
  if (before.context.snapshot.id === now.snapshot.id) return undefined;
  const tiles = wantedOf(wanted).flatMap(({ panels }) =>
    underHours(panels, before.scope.filters.hours).filter(({ picture }) => picture === 'tile'),
  );
  const [older, newer] = await Promise.all([
    digestQuestions(before.context, before.scope),
    digestQuestions(now, before.scope),
  ]);
  const changed: { panel: Panel; currency: string; was: number | null; is: number | null }[] = [];
  const seen = new Set<string>();
  for (const panel of tiles) {
    const measure = panel.measures[0]?.measure ?? '';
    if (seen.has(`${panel.metric} ${measure}`)) continue;
    seen.add(`${panel.metric} ${measure}`);
    const question = { metric: panel.metric, split: panel.split ?? [], grain: 'total' } as const;
    const [one, other] = await Promise.all([older.ask(question), newer.ask(question)]);
    if (one.kind === 'refused' || other.kind === 'refused') continue;
    const rows = [...one.answer.rows, ...other.answer.rows];
    for (const currency of new Set(rows.map((row) => String(row['currency'] ?? '')))) {
      const rowOf = (answer: typeof one.answer) => {
        const found = answer.rows.find((row) => String(row['currency'] ?? '') === currency);
        return currency ? soldRow(answer, found, measure) : found;
      };
      const was = numberOf(figure(one.answer, rowOf(one.answer), measure));
      const is = numberOf(figure(other.answer, rowOf(other.answer), measure));
      if (!isSame(was, is)) changed.push({ panel, currency, was, is });
    }
  }
  if (changed.length === 0) return undefined;
  const metrics = [...new Set(changed.map(({ panel }) => panel.metric))].map(metricOf);
  const cells = await restatements(before.context, now, metrics);
  const lines = changed.map(({ panel, currency, was, is }) => ({
    text: words.restated.sentence(
      currency ? `${panel.title} ${currency}` : panel.title,
      told(was, panel, locale, currency),
      told(is, panel, locale, currency),
      difference(was, is, panel, locale, currency),
    ),
    why: reasonOf(panel, cells, before.scope),
  }));
  return { intro: words.restated.intro(periodWords(before.scope.period, locale)), lines };
}

const told = (value: number | null, { unit }: Panel, locale: string, currency: string): string =>
  value === null ? 'no data' : say(value, unit, locale, currency);

const isSame = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));

function difference(was: number | null, is: number | null, panel: Panel, locale: string, currency: string): string {
  if (was === null || is === null) return 'not comparable';
  const size = Math.abs(is - was);
  const text =
    panel.unit === 'share'
      ? `${say(round(size * 100, 2), 'count', locale)} points`
      : say(size, panel.unit, locale, currency);
  return `${is > was ? '+' : '−'}${text}`;
}

/** Kinds of changes with the number of chats. */
function reasonOf(panel: Panel, cells: readonly RestatedCell[], { period }: Scope): string {
  const chats = new Map<string, readonly string[]>();
  for (const cell of cells) {
    if (cell.metric !== panel.metric || cell.period < period.from || cell.period > period.to) continue;
    for (const { chat_id, what } of cell.chats) chats.set(chat_id, what);
  }
  const counts = new Map<string, number>();
  for (const what of chats.values()) for (const kind of what) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size === 0) return words.restated.unknown;
  const kinds = [...counts].sort((one, other) => other[1] - one[1]);
  return words.restated.because(kinds.map(([kind, count]) => `${changeWords[kind] ?? kind} (${count})`).join(', '));
}
