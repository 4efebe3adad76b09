// The filters of a page and their place in the address: dates or a preset, groups, agents, tags, time zone and grain.
import type { Grain } from '#dashboards/panel.ts';
import { daysBetween, isDate, isZone, presetRange, presets, today, type Preset } from './dates.ts';
import { words } from './words.ts';

export interface Filters {
  preset: Preset | null;
  from: string;
  to: string;
  group: string[];
  agent: string[];
  tag: string[];
  timezone: string;
  grain: Grain;
  /** The first day there are numbers for, when the asked dates begin before it; they are cut there. */
  cutAt: string | null;
  /** Whether the reader chose the grain. */
  isGrainChosen: boolean;
  /** What in the address could not be understood, in sentences. */
  problems: string[];
}

const grains: readonly Grain[] = ['hour', 'day', 'week', 'month'];

/** Reads the address; what is missing or wrong takes the default and, when wrong, is told. */
export function readFilters(query: URLSearchParams, accountZone: string, since: string, now: Date): Filters {
  const problems: string[] = [];
  const zone = query.get('timezone') || accountZone;
  const timezone = isZone(zone) ? zone : accountZone;
  if (timezone !== zone) problems.push(words.problems.zone(zone));
  const dates = readDates(query, today(now, timezone), since, problems);
  const chosen = grains.find((grain) => grain === query.get('grain'));
  const values = (kind: string) => [...new Set(query.getAll(kind).filter(Boolean))];
  return {
    ...dates,
    group: values('group'),
    agent: values('agent'),
    tag: values('tag'),
    timezone,
    grain: chosen ?? grainOf(daysBetween(dates.from, dates.to)),
    isGrainChosen: chosen !== undefined,
    problems,
  };
}

type Dates = Pick<Filters, 'preset' | 'from' | 'to' | 'cutAt'>;

/** A total over days that were never pulled is no number: dates begin where the numbers do, unless all are before. */
function cut({ from, to }: { from: string; to: string }, since: string): Omit<Dates, 'preset'> {
  return from < since && since <= to ? { from: since, to, cutAt: since } : { from, to, cutAt: null };
}

/** A form sends preset and dates together: dates that differ from the preset's mean that the reader typed them. */
function readDates(query: URLSearchParams, day: string, since: string, problems: string[]): Dates {
  const preset = presets.find((it) => it === query.get('preset'));
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const range = cut(presetRange(preset ?? '30d', day), since);
  const isTyped = (from || to) && !(preset && from === range.from && to === range.to);
  const fallback = { preset: preset ?? ('30d' as const), ...range };
  if (!isTyped) return fallback;
  const typed = { from: from || to, to: to || (from > day ? from : day) };
  const wrong = [typed.from, typed.to].find((text) => !isDate(text));
  if (wrong !== undefined) problems.push(words.problems.date(wrong));
  else if (typed.from > typed.to) problems.push(words.problems.order);
  else return { preset: null, ...cut(typed, since) };
  return fallback;
}

function grainOf(days: number): Grain {
  if (days <= 2) return 'hour';
  if (days <= 92) return 'day';
  return days <= 400 ? 'week' : 'month';
}

export type Change = Partial<Record<'preset' | 'from' | 'to' | 'timezone' | 'grain', string | null>> &
  Partial<Record<'group' | 'agent' | 'tag', string[]>>;

/** The query that stands for these filters with a change; only what differs from the defaults is written. */
export function queryOf(filters: Filters, accountZone: string, change: Change = {}): string {
  const query = new URLSearchParams();
  const isDated = change.from || change.to;
  const preset = change.preset ?? (isDated ? null : filters.preset);
  if (preset && preset !== '30d') query.set('preset', preset);
  if (!preset) {
    query.set('from', change.from || filters.from);
    query.set('to', change.to || filters.to);
  }
  for (const kind of ['group', 'agent', 'tag'] as const) {
    for (const value of change[kind] ?? filters[kind]) query.append(kind, value);
  }
  const zone = change.timezone === undefined ? filters.timezone : change.timezone;
  if (zone && zone !== accountZone) query.set('timezone', zone);
  const grain = change.grain === undefined ? (filters.isGrainChosen ? filters.grain : null) : change.grain;
  if (grain) query.set('grain', grain);
  const text = query.toString();
  return text && `?${text}`;
}
