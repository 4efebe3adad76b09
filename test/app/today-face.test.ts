// Today so far where there is no number: it says why, and never that there was nothing.
import { expect, it } from 'vitest';
import type { MetricOutcome } from '#lib/metric-question.ts';
import { todayFace } from '#lib/panel/today-face.ts';
import { answer, panel } from '../dashboards/answers.ts';

const at = { locale: 'en-GB', asOf: '2026-11-10 02:00', weekday: 'Tue 3 Nov' };
const tickets = panel({ picture: 'tile', grain: 'total', span: 'today' });
const metrics = [{ id: 'new_tickets', title: 'New tickets' }] as never;
const answered = (found: ReturnType<typeof answer>): MetricOutcome => ({ kind: 'answered', answer: found });

it('of what cannot be narrowed so it says that, as the tile does', () => {
  const message = 'new_tickets can be narrowed by group, not by tag';
  const refused: MetricOutcome = { kind: 'refused', status: 400, type: 'bad_request', message, choices: ['group'] };
  expect(todayFace(tickets, [refused, refused, refused], metrics, at)).toEqual({
    ...{ text: 'Not available here', kind: 'not_given' },
    than: '“New tickets” can be narrowed by group, not by tag',
  });
});

it('of what the source does not give so it says that in place of the weekday', () => {
  const reason = 'new_tickets comes from reports, not by tag';
  const silent = answered(answer([{ n: null, state: 'not_given' }], { not_given: { n: reason } }));
  expect(todayFace(tickets, [silent, silent], metrics, at)).toMatchObject({
    ...{ text: 'not given', kind: 'not_given' },
    than: '“New tickets” comes from reports, not by tag',
  });
});

it('of what did not arrive it says that', () => {
  const failed: MetricOutcome = { kind: 'failed', message: 'The server did not answer.' };
  expect(todayFace(tickets, [failed, failed], metrics, at)).toEqual({
    ...{ text: 'Could not be loaded', kind: 'not_given', than: 'The server did not answer.' },
  });
});

it('a number stands beside the weekday, also where only the hours of the week before are unknown', () => {
  const compare = { from: '2026-11-03', to: '2026-11-03', rows: [{ n: 40, state: 'complete' as const }] };
  const now = answered(answer([{ n: 12, state: 'open' }], { compare }));
  const failed: MetricOutcome = { kind: 'failed', message: 'The server did not answer.' };
  expect(todayFace(tickets, [now, failed], metrics, at)).toMatchObject({
    ...{ text: '12', kind: 'number', than: 'Tue 3 Nov, the whole day: 40' },
  });
  const alone = answered(answer([{ n: 12, state: 'open' }]));
  expect(todayFace(tickets, [alone, failed], metrics, at)).toMatchObject({ text: '12', than: 'Tue 3 Nov: no data' });
});
