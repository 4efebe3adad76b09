// Which days and filters a receipt's chats as rows have, week by week against the runtime's own calendar.
import { expect, it } from 'vitest';
import { asRowsQuery, daysOf } from '../../src/app/routes/receipt/[metric]/as-rows.ts';

const day_ms = 86_400_000;

it('a week begins on its Monday, whichever year it is of', () => {
  // Monday 30 December 2019 begins the first week of 2020, which has 53.
  let at = Date.UTC(2019, 11, 30);
  const lengths: Record<number, number> = { 2020: 53, 2021: 52, 2022: 52, 2023: 52, 2024: 52, 2025: 52, 2026: 53 };
  for (const [year, weeks] of Object.entries(lengths))
    for (let week = 1; week <= weeks; week++, at += 7 * day_ms)
      expect(daysOf(`${year}-W${String(week).padStart(2, '0')}`)).toEqual({
        from: new Date(at).toISOString().slice(0, 10),
        to: new Date(at + 6 * day_ms).toISOString().slice(0, 10),
      });
});

const receipt = { from: '2026-02-10', to: '2026-03-05', period: null, timezone: 'UTC', at: {}, filters: {} };
const asked = (differs: object) => asRowsQuery({ ...receipt, ...differs }, null);

it('a period is cut to the range, and splits become filters', () => {
  expect(asked({})).toBe('?from=2026-02-10&to=2026-03-05&timezone=UTC');
  expect(asked({ period: '2026-02' })).toContain('from=2026-02-10&to=2026-02-28');
  expect(asked({ period: '2026-03' })).toContain('from=2026-03-01&to=2026-03-05');
  expect(asked({ at: { agent: 'a@x.test' }, filters: { agent: ['a@x.test', 'b@x.test'], group: [3] } })).toBe(
    '?from=2026-02-10&to=2026-03-05&timezone=UTC&agent=a%40x.test&group=3',
  );
});

it('a value of a variable is one of that variable only, beside values of others', () => {
  const filters = { variable: ['plan:pro', 'region:eu'] };
  expect(asked({ at: { variable: 'free' }, variable: 'plan', filters })).toBe(
    '?from=2026-02-10&to=2026-03-05&timezone=UTC&variable=region%3Aeu&variable=plan%3Afree',
  );
  expect(asked({ at: { variable: null }, variable: 'plan' })).toBeUndefined();
});

it('what is no filter of rows has none', () => {
  expect(asked({ period: '2026-02-11 13:00' })).toBeUndefined();
  expect(asked({ at: { weekday: 'mon' } })).toBeUndefined();
  expect(asked({ at: { tag: null } })).toBeUndefined();
  expect(asked({ filters: { goal: [1] } })).toBeUndefined();
});
