// New numbers come by themselves, without a jump; a lost connection is said, and mends itself.
import { expect, type Page } from '@playwright/test';
import { open, panel, testOnKeptPage as test } from './product.ts';

const published = (id: string) =>
  `event: snapshot\ndata: ${JSON.stringify({ id, published_at: new Date().toISOString() })}\n\n`;

/** Answers the page's event stream with a text, once; the browser asks again after a moment. */
async function events(page: Page, body: string) {
  await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
}

test('a published snapshot renews the numbers, and nothing moves', async ({ page }) => {
  await open(page, '/chats?preset=7d');
  await events(page, published('a-newer-one'));
  let asked = 0;
  await page.route('**/api/metrics/total_chats?*', async (route) => {
    asked += 1;
    const answer = (await (await route.fetch()).json()) as { rows: Record<string, unknown>[] };
    for (const row of answer.rows) row['chats'] = 77_777;
    await route.fulfill({ json: answer });
  });
  const shown = panel(page, 'Chats over time');
  await shown.locator('details > summary', { hasText: 'Table' }).click();
  await page.locator('input[name="tag"]').first().waitFor({ state: 'attached' });
  await page.getByLabel('Filters').locator('summary', { hasText: 'All tags' }).click();
  await page.evaluate(() => scrollTo(0, 240));
  await page.getByLabel('Filters').locator('summary', { hasText: 'All tags' }).focus();
  const at = await page.evaluate(() => scrollY);
  // The stream is opened again when the page is looked at again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => asked).toBeGreaterThan(0);
  await expect(shown.getByRole('cell').first()).toHaveText('77,777');
  expect(await page.evaluate(() => scrollY)).toBe(at);
  await expect(page.locator('input[name="tag"]').first()).toBeVisible();
  await expect(page.getByLabel('Filters').locator('summary', { hasText: 'All tags' })).toBeFocused();
});

test('a lost connection is said calmly, and the page comes back by itself', async ({ page }) => {
  await open(page, '/');
  await page.route('**/api/events', (route) => route.abort());
  await page.route('**/api/health', (route) => route.abort());
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('connection lost, trying again')).toBeVisible();
  await expect(panel(page, 'Chats over time').locator('svg').first()).toBeVisible();
  await page.unroute('**/api/events');
  await page.unroute('**/api/health');
  await expect(page.getByText('connection lost, trying again')).toBeHidden({ timeout: 120_000 });
});

test('a panel that fails says so, leaves the others alone, and can be asked again', async ({ page }) => {
  await open(page, '/');
  await page.route('**/api/metrics/waiting_times?*', (route) =>
    route.fulfill({ status: 500, json: { error: { type: 'internal', message: 'something went wrong here' } } }),
  );
  await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
  const failed = panel(page, 'Wait before being connected');
  await expect(failed.getByRole('alert')).toContainText('This panel could not be loaded');
  await expect(panel(page, 'Abandonment').locator('svg').first()).toBeVisible();
  await page.unroute('**/api/metrics/waiting_times?*');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(failed.locator('.drawing svg').first()).toBeVisible();
});
