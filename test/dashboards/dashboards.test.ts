// The registry: every panel says what it shows, and the colours of charts and pages are the same.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboards } from '#dashboards/dashboards.ts';
import { tokenOf } from '#dashboards/pictures/telling.ts';
import { questions } from '#dashboards/questions.ts';
import { dark, light } from '#dashboards/theme.ts';

test('every panel has a title, a sentence and words for its empty state', () => {
  for (const { panels } of dashboards) {
    for (const panel of panels) {
      expect(panel.sentence, panel.id).toMatch(/^[A-Z].*\.$/);
      expect(panel.empty, panel.id).toMatch(/^[A-Z].*\.$/);
      expect(panel.title.length, panel.id).toBeGreaterThan(3);
    }
  }
});

test('ids and titles are unique on a page, and paths are unique', () => {
  expect(new Set(dashboards.map((it) => it.path)).size).toBe(dashboards.length);
  for (const { panels } of dashboards) {
    expect(new Set(panels.map((it) => it.id)).size).toBe(panels.length);
    expect(new Set(panels.map((it) => it.title)).size).toBe(panels.length);
  }
});

test('a measure has one colour on a page', () => {
  const coloured = ['bars', 'lines', 'ranking'];
  for (const { path, panels } of dashboards) {
    const tokens = new Map<string, Set<string>>();
    for (const { picture, beside, measures, metric } of panels.filter((it) => coloured.includes(it.picture))) {
      const drawn = picture === 'ranking' && !beside ? measures.slice(0, 1) : measures;
      drawn.forEach((it, index) => {
        const name = `${it.metric ?? metric} ${it.measure}`;
        tokens.set(name, (tokens.get(name) ?? new Set()).add(tokenOf(it, index)));
      });
    }
    const several = [...tokens].filter(([, colours]) => colours.size > 1).map(([name]) => name);
    expect(several, path).toEqual([]);
  }
});

test('money is always asked by currency', () => {
  const money = dashboards.flatMap((it) => it.panels).filter((panel) => panel.unit === 'money');
  expect(money.length).toBeGreaterThan(0);
  for (const panel of money) for (const question of questions(panel)) expect(question.split).toContain('currency');
});

test('the colours of charts stand in the style sheet, once, each in light and in dark', () => {
  const css = readFileSync(new URL('../../src/app/lib/design/tokens.css', import.meta.url), 'utf8');
  const pairs = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\(([^,]+), ([^)]+)\);/g)].map(([, token, ...colours]) => [token, colours]),
  );
  const schemes = [...css.matchAll(/color-scheme: ([\w ]+);/g)].map(([, scheme]) => scheme);
  expect(schemes).toEqual(['light', 'dark', 'light dark', 'light']);
  const series = light.series.map((colour, index) => [`series-${index + 1}`, colour, dark.series[index]]);
  const heat = light.heat.map((colour, index) => [`heat-${index + 1}`, colour, dark.heat[index]]);
  const names = ['canvas', 'text', 'muted', 'hairline', 'before', 'good', 'bad', 'hatch'] as const;
  const others = names.map((name) => [name, light[name], dark[name]]);
  for (const [token, ...colours] of [...series, ...heat, ...others]) expect(pairs.get(token)).toEqual(colours);
  expect(css.match(/#[\da-f]{6}/gi)).toHaveLength(2 * pairs.size);
});
