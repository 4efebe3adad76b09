// What axe finds on a page as it stands: everything in light colours, and in dark ones what depends on colours.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './product.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that colours decide; what the others find is the same in dark. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** `part`: a selector; the whole page without one. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Nothing is judged in the middle of a change of its colour.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await settled(page);
    const runOnly =
      colorScheme === 'light' ? { type: 'tag' as const, values: tags } : { type: 'rule' as const, values: ofColours };
    // TRICKY: only this mode heeds `resultTypes`; the other one names every element that is as it should be, for seconds.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    axe.options({ resultTypes: ['violations'], runOnly });
    if (part !== undefined) axe.include(part);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
}

/** On the screen of a phone nothing is wider than it. */
export async function expectFits(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}
