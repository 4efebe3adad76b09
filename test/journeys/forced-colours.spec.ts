// With the colours that a reader's system forces, what a chart shows can still be told apart.
import { expect, type Locator } from '@playwright/test';
import { partOf } from '../whole.ts';
import { open, panel, test } from './product.ts';

test.use({ contextOptions: { forcedColors: 'active' } });

const charts = [
  ['/?preset=7d', 'How chats began', 3],
  ['/queue?preset=7d', 'How waits ended', 2],
  ['/queue?preset=7d', 'Abandonment', 2],
] as const;

// Bars of three and lines; with the drill bars of two as well.
for (const [address, title, series] of partOf(charts, 2))
  test(`bars and lines keep colours of their own, and the legend has the same: ${title}`, async ({ page }) => {
    await open(page, address);
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    const shown = panel(page, title);
    await shown.scrollIntoViewIfNeeded();
    await expect(shown.locator('.drawing svg path').first()).toBeAttached();
    const found = await shown.evaluate((it) => {
      const ground = getComputedStyle(document.body).backgroundColor;
      const canvas = getComputedStyle(document.documentElement).backgroundColor;
      const painted = [...it.querySelectorAll('.drawing svg path')].flatMap((path) => {
        const { fill, stroke } = getComputedStyle(path);
        return [fill, stroke];
      });
      const swatches = [...it.querySelectorAll('.key .mark')].map((mark) => {
        const { backgroundColor, borderTopColor, forcedColorAdjust } = getComputedStyle(mark);
        const isLine = mark.matches('.line, .dash');
        return { colour: isLine ? borderTopColor : backgroundColor, adjust: forcedColorAdjust };
      });
      return { grounds: [ground, canvas], painted: [...new Set(painted)], swatches };
    });
    const legend = found.swatches.filter(({ colour }) => colour !== 'rgba(0, 0, 0, 0)');
    const colours = new Set(legend.map(({ colour }) => colour));
    expect(colours.size).toBeGreaterThanOrEqual(series);
    for (const { colour, adjust } of legend) {
      expect([colour, adjust]).toEqual([colour, 'none']);
      expect(found.painted).toContain(colour);
      expect(found.grounds).not.toContain(colour);
    }
  });

test('what is chosen is marked: the page, a measure, the theme, an entry of the palette', async ({ page }) => {
  await open(page, '/occupancy?preset=7d');
  const groundOf = (it: Locator) => it.evaluate((element) => getComputedStyle(element).backgroundColor);
  const menu = page.getByRole('navigation').first();
  const ground = await groundOf(menu.getByRole('link', { name: 'Queue', exact: true }));
  const chosen = await groundOf(menu.locator('a[aria-current]').first());
  expect(chosen).not.toBe(ground);
  const shown = panel(page, 'Concurrent chats by weekday and hour');
  expect(await groundOf(shown.locator('input:checked + span'))).toBe(chosen);
  expect(await groundOf(page.locator('.rail fieldset input:checked + span').first())).toBe(chosen);
  await page.keyboard.press('Control+k');
  expect(await groundOf(page.locator('[role="option"][aria-selected="true"]'))).toBe(chosen);
});
