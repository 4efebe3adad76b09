// Business hours: a split shift and a holiday are set, pages count in them and say so, a receipt tells what was left out, and it is undone.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, testOnKeptPage as test } from './product.ts';

/** Of how many chats the median first response is told: the median itself may be the same in all hours. */
const chatsOf = (page: Page) => page.locator('#first-half-tile .basis').first();

const inSnapshot = async (page: Page): Promise<boolean> =>
  ((await (await page.request.get('/api/business-hours')).json()) as { in_snapshot: boolean }).in_snapshot;

test('business hours change what waits count, say so, and go again', async ({ page, complaints }) => {
  await open(page, '/business-hours');
  await expect(page.getByText('No business hours are set.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Set business hours' }).click();
  await page.getByLabel('Everybody, Monday, to').fill('12:00');
  await page.getByRole('button', { name: 'Add another shift: Everybody, Monday' }).click();
  await page.getByLabel('Everybody, Monday, from').nth(1).fill('11:00');
  await page.getByLabel('Everybody, Monday, to').nth(1).fill('17:00');
  await page.getByRole('button', { name: 'Add a holiday: Everybody' }).click();
  await page.getByLabel('Everybody, Holiday 1', { exact: true }).fill('2026-12-25');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Everybody, Monday: two shifts overlap');
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  await expect(page.getByLabel('Everybody, Holiday 1', { exact: true })).toHaveValue('2026-12-25');
  await page.getByLabel('Everybody, Monday, from').nth(1).fill('13:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Last set by whoever sat at this machine' })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => inSnapshot(page), { timeout: 120_000 }).toBe(true);

  await open(page, '/responses');
  const plain = await chatsOf(page).innerText();
  await page.getByLabel('Hours that count').selectOption('Business hours');
  await expect(page).toHaveURL(/hours=business/);
  await expect(page.getByRole('heading', { name: 'First response, median (business hours)' })).toBeVisible();
  await expect(chatsOf(page)).not.toHaveText(plain);
  await page.locator('#first-half-tile').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/receipt\/first_response_time_business/);
  await expect(page.getByText('outside business hours').first()).toBeVisible();
  await open(page, '/queue?hours=business');
  await expect(page.getByRole('heading', { name: 'Wait in the queue, median (business hours)' })).toBeVisible();

  await open(page, '/business-hours');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove all business hours' }).click();
  await expect(page.getByText('No business hours are set.')).toBeVisible();
  await expect.poll(() => inSnapshot(page), { timeout: 120_000 }).toBe(true);
  expect(complaints).toEqual([]);
});
