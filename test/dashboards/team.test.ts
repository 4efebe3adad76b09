// The band of an agent's colleagues on charts and tiles: where half of them lie, spread over periods, and in words.
import { expect, test } from 'vitest';
import { bars } from '#dashboards/pictures/bars.ts';
import { lines } from '#dashboards/pictures/lines.ts';
import { shownTeam } from '#dashboards/pictures/team-band.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import type { TeamFigures, TeamFigure } from '#dashboards/team.ts';
import { answer, days, panel, series, setting } from './answers.ts';

const csat = panel({ unit: 'share', measures: [{ measure: 'n', label: 'CSAT' }] });
const values = [0.9, 0.7, 0.8, 0.6, 0.5];

function team(more: Partial<TeamFigure> = {}, of: Partial<TeamFigures> = {}): TeamFigures {
  const figure: TeamFigure = {
    ...{ metric: 'm', measure: 'n', is_sum: false, colleagues: 11, why_not: null },
    ...{ band: { p25: 0.75, median: 0.8, p75: 0.9 }, ...more },
  };
  const range = { from: '2026-11-01', to: '2026-11-05', days: 5 };
  return { ...range, least_colleagues: 5, least_basis: 10, figures: [figure], ...of };
}
const drawn = (of: TeamFigures, shown = csat, draw = lines, rows = days('n', values)) =>
  draw(shown, [answer(rows)], { ...setting, team: shownTeam(of) });
const plain = lines(csat, [answer(days('n', values))], setting);

/** Of the last three series that carry data: lower edge, distance, median. */
const bandOf = (picture: ReturnType<typeof lines>) => series(picture.charts[0]?.option).map(({ data }) => data);

test('the middle half lies behind the line, the median in it, and the words say the same', () => {
  const picture = drawn(team());
  const data = bandOf(picture);
  expect(data).toContainEqual(Array(5).fill(0.75));
  expect(data).toContainEqual(Array(5).fill(0.9 - 0.75));
  expect(data).toContainEqual(Array(5).fill(0.8));
  expect(picture.key.at(-1)).toEqual({
    token: 'muted',
    label: 'middle half of colleagues, median dotted',
    mark: 'band',
  });
  expect(picture.summary).toContain(
    'Half of 11 colleagues lie between 75% and 90% over these dates, the median is 80.0%.',
  );
  expect(picture.charts[0]?.tips[1]?.lines.at(-1)).toMatchObject({
    name: 'Colleagues, median',
    value: '80% (75% to 90%)',
  });
});

test('what adds up is spread over the days of each period, a week at the edge by its days in the range', () => {
  const sums = team(
    { is_sum: true, band: { p25: 50, median: 100, p75: 150 } },
    { from: '2026-11-01', to: '2026-11-10', days: 10 },
  );
  const weeks = ['2026-W44', '2026-W45', '2026-W46'].map((period) => ({ period, n: 3, state: 'complete' as const }));
  const data = bandOf(drawn(sums, panel({ picture: 'bars' }), bars, weeks));
  expect(data).toContainEqual([10, 70, 20]);
  const running = { ...sums, days: 2.5, to: '2026-11-03' };
  const month = [{ period: '2026-11', n: 3, state: 'open' as const }];
  expect(bandOf(drawn(running, panel({ picture: 'bars' }), bars, month))).toContainEqual([60]);
});

test('by day and hour what adds up has no band, because nobody works every day, and the sentence is still told', () => {
  const hours = [9, 10].map((hour) => ({
    period: `2026-11-01 ${String(hour).padStart(2, '0')}:00`,
    n: 3,
    state: 'complete' as const,
  }));
  for (const rows of [hours, days('n', values)]) {
    const picture = drawn(team({ is_sum: true, band: { p25: 50, median: 100, p75: 150 } }), panel(), bars, rows);
    expect(picture.key.some(({ mark }) => mark === 'band')).toBe(false);
    expect(picture.summary).toContain('Half of 11 colleagues lie between 50 and 150');
  }
});

test('with too few colleagues nothing is drawn, and it says so', () => {
  const few = team({ band: null, colleagues: 3, why_not: 'too_few' });
  const picture = drawn(few);
  expect(series(picture.charts[0]?.option)).toHaveLength(series(plain.charts[0]?.option).length);
  expect(picture.summary).toContain('Fewer than 5 colleagues have 10 or more here, so there is no band of the team.');
  expect(tile(small, [total], { locale: 'en-GB', team: shownTeam(few) }).team).toBe(
    'too few colleagues to compare with',
  );
});

test('another number, and one that is split, has none', () => {
  for (const picture of [
    drawn(team({ measure: 'other' })),
    drawn(team({ metric: 'other' })),
    drawn(team(), { ...csat, split: ['group'] }),
  ])
    expect(picture.summary).not.toContain('colleagues');
});

const small = { ...csat, picture: 'tile' as const };
const total = answer([{ n: 0.8, state: 'complete' }], { grain: 'total' });

test('counts are told as whole numbers', () => {
  const halves = team({ is_sum: true, band: { p25: 432.5, median: 545.4, p75: 669.5 } });
  expect(
    tile(panel({ picture: 'tile' }), [answer([{ n: 3, state: 'complete' }], { grain: 'total' })], {
      ...{ locale: 'en-GB', team: shownTeam(halves) },
    }).team,
  ).toBe('colleagues 433 to 670, median 545');
});

test('a tile says where half of the colleagues lie', () => {
  expect(tile(small, [total], { locale: 'en-GB', team: shownTeam(team()) }).team).toBe(
    'colleagues 75% to 90%, median 80%',
  );
  expect(tile(small, [total], { locale: 'en-GB' }).team).toBeUndefined();
});
