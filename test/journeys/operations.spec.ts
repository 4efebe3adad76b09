// The operator's page: how the pulls are doing, a pull on demand, kept snapshots and restated figures.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, testOnKeptPage as test } from './product.ts';
import { sizeOf, spareBytes } from '#lib/operations/sizes.ts';
import type { Snapshots } from '#api/contract/pulls.ts';

test('tells how the last pull ended, lists the kept snapshots, of which the newest can be taken along, and pulls now', async ({
  page,
  complaints,
}) => {
  await open(page, '/operations');
  await expectAccessible(page);
  await expectSnapshots(page);
  const now = page.locator('section', { has: page.getByRole('heading', { name: 'Now' }) });
  await expect(now.or(page.getByRole('status'))).not.toHaveCount(0);
  const ended = async () => ((await (await page.request.get('/api/pulls')).json()) as { pulls: object[] }).pulls.length;
  const before = await ended();
  await now.getByRole('button', { name: 'Sync now' }).click();
  await expect(now.getByText('It runs at once')).toBeVisible();
  await expect.poll(ended, { timeout: 120_000 }).toBeGreaterThan(before);
  await expect(page.getByRole('region', { name: 'Pulls', exact: true }).getByRole('row')).not.toHaveCount(1);
  expect(complaints).toEqual([]);
});

/** With their sizes, which add up to the one of all. */
async function expectSnapshots(page: Page): Promise<void> {
  const kept = page.getByRole('region', { name: 'Kept snapshots' }).first();
  await expect(kept.getByText('it is served now')).toBeVisible();
  await expect(kept.getByText(/^[\d.,]+ (kB|MB)$/).first()).toBeVisible();
  const spare = spareBytes((await (await page.request.get('/api/snapshots')).json()) as Snapshots);
  const told = page.getByText(`${sizeOf(spare, 'en-GB')} of it is the file that the next one is written into.`);
  await expect(told).toHaveCount(spare > 0 ? 1 : 0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the newest' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.duckdb$/);
}
