// Asks the API over HTTP and says what came of it: an answer, a refusal with its choices, or a failure.
import type { Answer } from '#dashboards/answer.ts';
import { spanOf } from './dates.ts';
import type { Grain } from '#dashboards/panel.ts';
import type { Question } from '#dashboards/questions.ts';
import type { Filters } from './filters.ts';
import { words } from './words.ts';

export interface Health {
  status: 'ok' | 'starting';
  snapshot: { id: string; published_at: string } | null;
  pull: {
    last_success_at: string | null;
    running?: boolean;
    stage?: string;
    done?: number;
    total?: number;
    pulled_since?: string | null;
    /** Where there are several accounts: pulled_since of each that is being pulled. */
    accounts?: Record<string, string | null>;
  };
}

export interface Account {
  id: string;
  timezone: string;
  since: string;
  agents: { login: string; name: string }[];
  groups: { id: number | string; name: string }[];
  /** The first of them: `more_tags` says that there are others. */
  tags: string[];
  more_tags: boolean;
  goals: { id: number | string; name: string }[];
}

export interface Metric {
  id: string;
  title: string;
  definition: string;
  version: number | string;
  kind: string;
  measures: Record<string, { title: string; unit: string }>;
  splits: string[];
  grains: string[];
}

export type Outcome =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'refused'; message: string; choices: string[] }
  | { kind: 'failed'; message: string };

type Fetch = typeof globalThis.fetch;

/** Reads JSON that the API promises; throws a sentence for people where it is not given. */
export async function read<Shape>(fetch: Fetch, path: string, accepted: number[] = [200]): Promise<Shape> {
  const response = await fetch(path);
  if (!accepted.includes(response.status)) throw new Error(words.panel.badAnswer(response.status));
  return (await response.json()) as Shape;
}

const coarseness: Grain[] = ['hour', 'day', 'week', 'month'];

/** The asked grain, or the next coarser one that the metric has. */
export function grainFor(metric: Metric | undefined, asked: Grain): Grain {
  if (!metric || metric.grains.includes(asked)) return asked;
  return coarseness.slice(coarseness.indexOf(asked) + 1).find((grain) => metric.grains.includes(grain)) ?? asked;
}

/** The address of a question under the page's filters. */
export function addressOf(question: Question, account: string, filters: Filters, metric: Metric | undefined): string {
  const query = new URLSearchParams({ account, ...spanOf(question.span, filters), timezone: filters.timezone });
  query.set('grain', question.grain === 'asked' ? grainFor(metric, filters.grain) : question.grain);
  if (question.split.length) query.set('split', question.split.join(','));
  for (const kind of ['group', 'agent', 'tag'] as const) for (const value of filters[kind]) query.append(kind, value);
  if (question.compare && filters.compare !== 'none') query.set('compare', filters.compare);
  if (question.metric === 'service_level') query.set('target', String(filters.target));
  return `/api/metrics/${question.metric}?${query}`;
}

/** A refusal with the titles of metrics in place of their ids. */
export function inTitles(text: string, metrics: Metric[]): string {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b|^[a-z]+\b/g, (id) => {
    const found = metrics.find((metric) => metric.id === id);
    return found ? `“${found.title}”` : id;
  });
}

export async function ask(fetch: Fetch, address: string): Promise<Outcome> {
  try {
    const response = await fetch(address);
    const body: unknown = await response.json();
    if (response.ok && hasRows(body)) return { kind: 'answered', answer: body };
    const told = errorOf(body);
    if (response.status >= 400 && response.status < 500 && told) return { kind: 'refused', ...told };
    return { kind: 'failed', message: told?.message ?? words.panel.badAnswer(response.status) };
  } catch {
    return { kind: 'failed', message: words.panel.unreachable };
  }
}

function hasRows(body: unknown): body is Answer {
  return typeof body === 'object' && body !== null && 'rows' in body && Array.isArray(body.rows);
}

export function errorOf(body: unknown): { message: string; choices: string[] } | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const error = body.error;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const choices = 'choices' in error && Array.isArray(error.choices) ? error.choices.map(String) : [];
  return { message: String(error.message), choices };
}
