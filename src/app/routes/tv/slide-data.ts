// Loads and describes a slide of the short rotation: figures of the last hour or today, or targets and goals.
import type { Account } from '#api/contract/accounts.ts';
import type { Health } from '#api/contract/health.ts';
import type { Metric } from '#api/contract/metrics.ts';
import type { PeriodGoal } from '#api/contract/period-goals.ts';
import type { JudgedTarget, Target } from '#api/contract/targets.ts';
import type { Cell } from '#dashboards/cell.ts';
import { say } from '#dashboards/numbers.ts';
import type { Panel } from '#dashboards/panel.ts';
import { periodName } from '#dashboards/periods.ts';
import { lastHour, lastHourIn } from '#dashboards/pictures/last-hour.ts';
import { presetRange, spanOf } from '#dashboards/ranges.ts';
import * as wall from '#dashboards/tv-mode.ts';
import { call } from '#lib/api.ts';
import type { round } from '#lib/frame/slides.ts';
import { answerOf, ask, questionAddress, type MetricOutcome } from '#lib/metric-question.ts';
import { noNumber } from '#lib/panel/no-number.ts';
import { todayFace } from '#lib/panel/today-face.ts';
import { begun } from '#lib/panels.ts';
import { questions } from '#dashboards/questions.ts';
import type { Filters } from '#lib/filters.ts';
import { clock, localHour } from '#lib/instants.ts';
import { tvWords as words } from './words.ts';

export interface WallFigure {
  id: string;
  title: string;
  sentence: string;
  text: string;
  kind: string;
  cell?: Cell | undefined;
  /** Lines below the figure, most important first. */
  lines: string[];
}

interface Figures {
  /** The subject of the figures. */
  of: string;
  figures: WallFigure[];
}

/** The reader, the account and the texts. */
interface SlideRequest {
  fetch: typeof globalThis.fetch;
  account: Account;
  filters: Filters;
  catalogue: ReadonlyMap<string, Metric>;
  locale: string;
  /** The reader sees a part of the chats, and no target of more than that. */
  isPart: boolean;
}

export type SlideData =
  | ({ kind: 'figures' } & Figures)
  | { kind: 'targets'; of: string; judged: JudgedTarget[]; goals: PeriodGoal[] };
type Name = (typeof round)[number]['name'];

/** The panels of a slide. */
export const panelsOf = (name: Name): Panel[] =>
  ({ now: wall.now, today: wall.today, queue: wall.queueToday, targets: wall.untargeted })[name];

/** `targets`: undefined where they could not be loaded. */
export async function askSlide(
  name: Name,
  asking: SlideRequest,
  health: Health,
  targets: readonly Target[] | undefined,
): Promise<SlideData> {
  if (name === 'now') return { kind: 'figures', ...(await askNow(asking)) };
  if (name === 'targets') return askTargets(asking, targets);
  const until = health.snapshot?.published_at ?? new Date().toISOString();
  return { kind: 'figures', ...(await askToday(asking, panelsOf(name), until)) };
}

/** Targets and goals of the page's group, or of all chats and groups; without any, the figures that they are about. */
async function askTargets(asking: SlideRequest, targets: readonly Target[] | undefined): Promise<SlideData> {
  const { fetch, account, filters } = asking;
  const { from, to } = presetRange('28d', filters.today);
  const chosen = filters.group.map(Number);
  const isShown = (group: number | null) => chosen.length === 0 || (group !== null && chosen.includes(group));
  const inForce = (targets ?? []).filter((it) => it.is_in_force);
  const groups = [...new Set(inForce.filter(({ group }) => isShown(group)).map(({ group }) => group))];
  const judgedOf = async (group: number | null) => {
    const query = { account: account.id, from, to, ...(group === null ? {} : { group: String(group) }) };
    const found = await call(fetch, 'GET /targets/days', { query });
    return found.kind === 'answered' ? found.answer.judged : undefined;
  };
  const [found, goals] = await Promise.all([
    Promise.all(groups.toSorted((one, other) => (one ?? -1) - (other ?? -1)).map(judgedOf)),
    call(fetch, 'GET /period-goals', { query: { account: account.id } }),
  ]);
  const judged = found.flatMap((it) => it ?? []);
  const isWhole = targets !== undefined && goals.kind === 'answered' && found.every((it) => it !== undefined);
  const allGoals = goals.kind === 'answered' ? goals.answer.goals : [];
  const shownGoals = allGoals.filter(({ group }) => isShown(group));
  if (isWhole && !groups.length && !shownGoals.length) {
    const hasOthers = inForce.length > 0 || allGoals.length > 0;
    const why = hasOthers
      ? words.noTargetOfGroups(chosen.length)
      : asking.isPart
        ? words.noTargetOfPart
        : words.noTarget;
    return { kind: 'figures', ...(await askUntargeted(asking, why)) };
  }
  return { kind: 'targets', of: isWhole ? words.fourWeeks : words.targetsFailed, judged, goals: shownGoals };
}

/** When the numbers were last confirmed: the end of the last pull, or the first pull's latest publication. */
export const knownAt = ({ pull, snapshot }: Health): string | undefined =>
  pull.last_success_at ?? snapshot?.published_at;

/** Questions of panels, each asked once. */
function asker({ fetch, account, filters, catalogue }: SlideRequest) {
  const asked = new Map<string, Promise<MetricOutcome>>();
  const hour = localHour(new Date().toISOString(), filters.timezone);
  return (question: ReturnType<typeof questions>[number], within: Filters = filters): Promise<MetricOutcome> => {
    const address = questionAddress(question, account.id, within, catalogue.get(question.metric));
    const found = asked.get(address) ?? ask(fetch, address).then((it) => begun(it, hour));
    asked.set(address, found);
    return found;
  };
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);

/** Since yesterday, because the last whole hour of a day that has just begun is one of it. */
async function askNow(asking: SlideRequest): Promise<Figures> {
  const { filters, catalogue, locale } = asking;
  const once = asker(asking);
  const metrics = [...catalogue.values()];
  const daysFrom = (back: number): Filters => ({
    ...filters,
    from: dayBefore(filters.today, back + 1),
    to: dayBefore(filters.today, back),
  });
  const byHour = (metric: string, back: number) =>
    once({ metric, split: [], grain: 'hour', compare: false }, daysFrom(back));
  const outcomes = await Promise.all(
    wall.now.map(async ({ metric }) => Promise.all([byHour(metric, 0), byHour(metric, 7)])),
  );
  const hour = lastHourIn(answerOf(outcomes[0]?.[0]) ?? { rows: [] });
  const figures = wall.now.map((panel, index): WallFigure => {
    const [own, before] = outcomes[index] ?? [];
    const none = noNumber(own, metrics);
    if (none) return { ...named(panel, filters, locale), text: none.text, kind: none.kind, lines: [none.why] };
    const { weekAgo, soFar, ...face } = lastHour(panel, hour, answerOf(own), answerOf(before), locale);
    const lines = [
      ...(hour && weekAgo !== undefined ? [words.weekAgo(weekdayBefore(hour, locale), weekAgo)] : []),
      ...(hour && soFar !== undefined ? [words.since(endOf(hour), soFar)] : []),
    ];
    return { ...named(panel, filters, locale), ...face, lines };
  });
  return {
    of: hour ? words.hour(periodName(hour.slice(0, 10), locale), hour.slice(11), endOf(hour)) : words.noHour,
    figures,
  };
}

const weekdayBefore = (hour: string, locale: string): string => periodName(dayBefore(hour.slice(0, 10), 7), locale);
const endOf = (hour: string): string => `${String((Number(hour.slice(11, 13)) + 1) % 24).padStart(2, '0')}:00`;

async function askToday(asking: SlideRequest, panels: Panel[], publishedAt: string): Promise<Figures> {
  const { filters, catalogue, locale } = asking;
  const once = asker(asking);
  const metrics = [...catalogue.values()];
  const outcomes = await Promise.all(panels.map((panel) => Promise.all(questions(panel).map((it) => once(it)))));
  const asOf = localHour(publishedAt, filters.timezone);
  const weekday = periodName(spanOf('week_ago', filters).from, locale);
  const until = clock(publishedAt, filters.timezone, locale, new Date(publishedAt));
  return {
    of: words.todayUntil(periodName(filters.today, locale), until),
    figures: panels.map((panel, index) => {
      const { than, ...face } = todayFace(panel, outcomes[index] ?? [], metrics, { locale, asOf, weekday });
      return { ...named(panel, filters, locale), ...face, lines: [than] };
    }),
  };
}

/** What targets can be set for, over the last four weeks, where none is; `why`: what is said of that. */
async function askUntargeted(asking: SlideRequest, why: string): Promise<Figures> {
  const { filters, catalogue, locale } = asking;
  const once = asker(asking);
  const weeks = { ...filters, ...presetRange('28d', filters.today) };
  const figures = await Promise.all(
    wall.untargeted.map(async (panel): Promise<WallFigure> => {
      const own = await once({ metric: panel.metric, split: [], grain: 'total', compare: false }, weeks);
      const none = noNumber(own, [...catalogue.values()]);
      if (none) return { ...named(panel, filters, locale), text: none.text, kind: none.kind, lines: [none.why] };
      const row = answerOf(own)?.rows[0];
      const value = row?.[panel.measures[0]?.measure ?? ''];
      const isKnown = typeof value === 'number';
      return {
        ...named(panel, filters, locale),
        ...{ text: isKnown ? say(value, panel.unit, locale) : words.noData, kind: isKnown ? 'number' : 'no_data' },
        lines: [why],
      };
    }),
  );
  return { of: words.fourWeeks, figures };
}

/** Name and meaning, including the seconds of numbers that depend on them. */
function named({ id, title, sentence, isWithin }: Panel, { target }: Filters, locale: string) {
  return { id, title: isWithin ? words.within(title, say(target, 'seconds', locale)) : title, sentence };
}
