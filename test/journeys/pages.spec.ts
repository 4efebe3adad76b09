// Every page shows its panels, with numbers, without complaints, also before scripts run.
import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, pages, panel, test } from './product.ts';

test.describe.configure({ mode: 'parallel' });

for (const { title, address, panels, charts } of pages) {
  test(`${title} shows its panels`, async ({ page, complaints }) => {
    await open(page, address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    for (const name of panels) await expect(panel(page, name).first()).toBeVisible();
    await expect(page.getByText('could not be loaded')).toHaveCount(0);
    await expect(page.locator('.drawing svg').first()).toBeVisible();
    expect(complaints).toEqual([]);
  });

  test(`${title} has a table for every chart before scripts run`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', baseURL: baseURL ?? '' });
    const page = await context.newPage();
    await page.goto(address);
    for (const name of charts) {
      const shown = page.getByRole('region', { name, exact: true });
      await expect(shown.locator('table, .silence').first()).toBeAttached();
    }
    await context.close();
  });
}

test('the menu keeps the filters from page to page', async ({ page }) => {
  await open(page, '/?preset=7d');
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

test('the chosen colours are kept', async ({ page }) => {
  await open(page, '/');
  await page.getByLabel('Dark').first().check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
