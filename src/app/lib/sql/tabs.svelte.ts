// The statements that are open beside each other, kept in this browser over a reload.
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { isChartChoice, isSameChart, type ChartChoice } from '#dashboards/queries/chart-choice.ts';
import { typedOf, type TypedValues } from './parameters.ts';
import { starter } from './starter.ts';
import { sqlWords as words } from './words.ts';

export interface Tab {
  key: string;
  /** Counted from 1: its name where nothing else names it. */
  number: number;
  statement: string;
  /** Of its parameters. */
  values: TypedValues;
  /** Of its result: what was chosen, `usual` what its columns suggest, null without one. */
  chart: ChartChoice | 'usual' | null;
  /** As it was saved or opened; null: it is in this browser only. */
  saved: SavedQuery | null;
}

const kept = 'chatledger-sql-tabs';
const most = 20;

/** Its name, the comment that it begins with, or its number. */
export const nameOf = ({ saved, statement, number }: Tab): string =>
  saved?.name ?? /^\s*--[ \t]*(\S.*)/.exec(statement)?.[1]?.trim() ?? words.unnamed(number);

/** Whether closing it would lose something that is nowhere else. */
export const isUnsaved = ({ saved, statement, chart }: Tab): boolean =>
  saved
    ? statement !== saved.statement || !isSameChart(chart, saved.chart)
    : statement.trim() !== '' && statement !== starter;

/** What an earlier version kept had neither values nor a chart. */
type KeptTab = Omit<Tab, 'values' | 'chart'> & Partial<Pick<Tab, 'values' | 'chart'>>;

const whole = (tab: KeptTab): Tab => {
  const saved = tab.saved && { ...tab.saved, chart: chartIn(tab.saved.chart) };
  return { ...tab, saved, values: tab.values ?? {}, chart: chartIn(tab.chart) };
};
const chartIn = (it: unknown): Tab['chart'] => (it === 'usual' || isChartChoice(it) ? it : null);

function isTab(it: unknown): it is KeptTab {
  if (typeof it !== 'object' || it === null) return false;
  const { key, number, statement, saved } = it as Partial<Record<keyof Tab, unknown>>;
  return (
    typeof key === 'string' && typeof number === 'number' && typeof statement === 'string' && typeof saved === 'object'
  );
}

/** None where the browser keeps nothing, or something else. */
function found(): { key: string; all: Tab[] } {
  try {
    const read = JSON.parse(localStorage.getItem(kept) ?? '{}') as { key?: unknown; all?: unknown };
    return {
      key: String(read.key),
      all: Array.isArray(read.all) ? read.all.filter(isTab).map(whole) : [],
    };
  } catch {
    return { key: '', all: [] };
  }
}

export class Tabs {
  all: readonly Tab[] = $state.raw([]);
  /** Of the one that is shown. */
  key = $state('');
  /** The one that was closed last, and its place. */
  closed = $state.raw<{ tab: Tab; at: number }>();

  /** `first`: the statement to begin with where none is kept. */
  constructor(first: string) {
    const { key, all } = found();
    this.all = all;
    this.key = key;
    if (all.length === 0) this.add(first);
    else if (!all.some((tab) => tab.key === key)) this.select(all[0]?.key ?? '');
  }

  get shown(): Tab | undefined {
    return this.all.find(({ key }) => key === this.key);
  }

  get isFull(): boolean {
    return this.all.length >= most;
  }

  /** Shows a new one; when there are too many, the oldest that loses nothing goes, and without one none is opened. */
  add(statement: string, saved: SavedQuery | null = null): boolean {
    const spare = this.isFull ? this.all.find((tab) => !isUnsaved(tab)) : undefined;
    if (this.isFull && !spare) return false;
    const number = Math.max(0, ...this.all.map((tab) => tab.number)) + 1;
    const values = typedOf(saved?.parameters ?? {});
    const tab: Tab = { key: crypto.randomUUID(), number, statement, saved, values, chart: saved?.chart ?? null };
    this.all = [...this.all.filter((it) => it !== spare), tab];
    this.key = tab.key;
    this.#keep();
    return true;
  }

  select(key: string): void {
    this.key = key;
    this.#keep();
  }

  change(key: string, change: Partial<Pick<Tab, 'statement' | 'saved' | 'values' | 'chart'>>): void {
    this.all = this.all.map((tab) => (tab.key === key ? { ...tab, ...change } : tab));
    this.#keep();
  }

  /** The next one is shown; one is always open. */
  close(key: string): void {
    const at = this.all.findIndex((tab) => tab.key === key);
    const tab = this.all[at];
    if (!tab) return;
    this.closed = isUnsaved(tab) ? { tab, at } : undefined;
    this.all = this.all.toSpliced(at, 1);
    if (this.key === key) this.key = (this.all[at] ?? this.all[at - 1])?.key ?? '';
    if (this.all.length === 0) this.add('');
    this.#keep();
  }

  undo(): void {
    if (!this.closed) return;
    const { tab, at } = this.closed;
    this.closed = undefined;
    this.all = this.all.toSpliced(at, 0, tab);
    this.select(tab.key);
  }

  #keep(): void {
    try {
      localStorage.setItem(kept, JSON.stringify({ key: this.key, all: this.all }));
    } catch {
      // without it the page is as good, until it is loaded again
    }
  }
}
