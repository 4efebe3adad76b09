// Every page shows its panels, with numbers, without complaints, also before scripts run, and to every reader: one visit of each.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { awake, open, pages, panel, whole, testOnKeptPage as test } from './product.ts';

test.describe.configure({ mode: 'parallel' });

/** Panels of a page as the server sent it, by title: whether each has a table, or says why it has none. */
const tablesIn = (page: Page, html: string): Promise<Record<string, boolean>> =>
  page.evaluate((sent) => {
    const regions = [
      ...new DOMParser().parseFromString(sent, 'text/html').querySelectorAll('section[aria-labelledby]'),
    ];
    const nameOf = (it: Element) =>
      it.ownerDocument.getElementById(it.getAttribute('aria-labelledby') ?? '')?.textContent?.trim() ?? '';
    return Object.fromEntries(regions.map((it) => [nameOf(it), it.querySelector('table, .silence') !== null]));
  }, html);

for (const { title, address, panels, charts } of pages)
  test(`${title} shows its panels, has a table for every chart before scripts run, and no accessibility violations`, async ({
    page,
    complaints,
  }) => {
    await page.setViewportSize(whole);
    const [sent] = await Promise.all([
      page.waitForResponse((answer) => answer.request().isNavigationRequest()),
      open(page, address),
    ]);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    for (const name of panels) await expect(panel(page, name).first()).toBeVisible();
    await expect(page.getByText('could not be loaded')).toHaveCount(0);
    await expect(page.locator('.drawing svg').first()).toBeVisible();
    await expect(page.locator('.drawing:not(:has(svg))')).toHaveCount(0);
    expect(await tablesIn(page, await sent.text())).toMatchObject(
      Object.fromEntries(charts.map((name) => [name, true])),
    );
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

test('the chosen colours are kept, and the menu keeps the filters from page to page', async ({ page }) => {
  await open(page, '/?preset=7d');
  await page.getByLabel('Dark').first().check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await awake(page, () => page.reload());
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await expect(page).toHaveURL(/\/queue\?preset=7d$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue');
});

test('an unknown page says so and leads back', async ({ page }) => {
  const response = await page.goto('/nothing');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such page');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
});
