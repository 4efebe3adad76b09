// Whether the numbers of a period may go out: missing days, a period that is not over, an old pull, unexplained cells.
import { say } from '#dashboards/numbers.ts';
import { dayName } from '#dashboards/periods.ts';
import { recordedCells } from '#reports/reconciliation/recorded.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { DigestQuestions } from './digest-questions.ts';
import { periodWords } from './cover.ts';
import { words } from './words.ts';

/** Sentences; none when everything is well. `pulled_at` and `now` in milliseconds since 1970. */
export async function objectionsTo(
  asking: DigestQuestions,
  {
    pulled_at,
    now,
    most_hours_old,
    language,
  }: { pulled_at: number | null; now: number; most_hours_old: number; language: string },
): Promise<string[]> {
  const { context, scope } = asking;
  const { period } = scope;
  const objections: string[] = [];
  const chats = await asking.ask({ metric: everyChat.id, grain: 'asked' });
  if (chats.kind === 'refused') objections.push(words.stamp.refused(chats.message));
  const rows = chats.kind === 'answered' ? chats.answer.rows : [];
  const missing = rows.filter(({ state }) => state === 'not_pulled').map((row) => String(row.period ?? ''));
  const days = [...new Set(missing.map((label) => label.slice(0, 10)))];
  const [first, last] = [days[0], days.at(-1)];
  if (first && last) {
    const named = (day: string): string => (/^\d{4}-\d\d-\d\d$/.test(day) ? dayName(day, language) : day);
    objections.push(words.stamp.missing(first === last ? named(first) : `${named(first)} to ${named(last)}`));
  }
  if (rows.some(({ state }) => state === 'open')) objections.push(words.stamp.open(periodWords(period, language)));
  if (pulled_at === null) objections.push(words.stamp.neverPulled);
  else {
    const hours = (now - pulled_at) / 3_600_000;
    if (hours > most_hours_old)
      objections.push(
        words.stamp.old(say(Math.floor(hours), 'count', language), say(most_hours_old, 'count', language)),
      );
  }
  const recorded = await recordedCells({ from: period.from, to: period.to, page: { limit: 1, offset: 0 } }, context);
  const unexplained = recorded.by_reason.unexplained ?? 0;
  if (unexplained > 0) objections.push(words.stamp.unexplained(unexplained));
  return objections;
}
