// What axe finds on a page as it stands, in light colours or in dark ones, with the drill in both.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { partOf } from '../whole.ts';
import { settled } from './product.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Every other page in dark colours, each always in the same. */
const turnOf = (address: string): number => [...new URL(address).pathname].length;

/** `part`: a selector; the whole page without one. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  for (const colorScheme of partOf(['light', 'dark'] as const, 2, turnOf(page.url()))) {
    // Nothing is judged in the middle of a change of its colour.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await settled(page);
    // TRICKY: only this mode heeds `resultTypes`; the other one names every element that is as it should be, for seconds.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    // No rule of these reads the style sheets, which it would load and parse each time.
    const preload = { assets: ['media' as const] };
    axe.options({ resultTypes: ['violations'], runOnly: { type: 'tag', values: tags }, preload });
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
