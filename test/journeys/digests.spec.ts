// Digests in the browser: the two ready ones, sending now, the document again, pausing, changing, and a page as PDF.
import { expect, type APIResponse, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { awake, open, test } from './product.ts';

const item = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

async function expectPdf(answer: APIResponse): Promise<void> {
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
}

test('the ready digest is sent now, and its history opens the document again', async ({ page, complaints }) => {
  await awake(page, () => open(page, '/digests'));
  for (const title of ['Monday morning', 'Month']) await expect(item(page, title)).toContainText('next');
  await item(page, 'Monday morning').getByRole('button', { name: 'Send now' }).click();
  await expect(item(page, 'Monday morning')).toContainText(/last: \d{4}-W\d\d, sent/, { timeout: 30_000 });
  await page.getByRole('link', { name: 'Monday morning', exact: true }).click();
  const row = page.getByRole('region', { name: 'History' }).getByRole('row').nth(1);
  await expect(row).toContainText('everybody');
  await expect(row.getByRole('cell', { name: 'sent', exact: true })).toBeVisible();
  const address = await row.getByRole('link', { name: 'PDF' }).getAttribute('href');
  await expectPdf(await page.request.get(address ?? ''));
  expect(complaints).toEqual([]);
});

test('a digest is paused and goes on', async ({ page }) => {
  await awake(page, () => open(page, '/digests'));
  await item(page, 'Month').getByRole('button', { name: 'Pause' }).click();
  await expect(item(page, 'Month')).toContainText('paused');
  await awake(page, () => page.reload());
  await item(page, 'Month').getByRole('button', { name: 'Resume' }).click();
  await expect(item(page, 'Month')).toContainText('next');
});

test('what is changed is kept, what is wrong is refused with the reason', async ({ page }) => {
  await awake(page, () => open(page, '/digests/month'));
  await page.getByLabel('Schedule').fill('0 25 1 * *');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('schedule.cron');
  await page.getByLabel('Schedule').fill('30 6 2 * *');
  await page.getByLabel('Paper').selectOption('Letter');
  await page.getByLabel('Mail address to tell').fill('owner@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('Schedule')).toHaveValue('30 6 2 * *');
  await expect(page.getByLabel('Paper')).toHaveValue('letter');
  await expect(page.getByLabel('Mail address to tell')).toHaveValue('owner@example.com');
});

test('a page is a PDF too, with the filters that it has', async ({ page }) => {
  await open(page, '/queue?preset=7d');
  const link = page.getByRole('link', { name: /as PDF, with these filters/ });
  await expect(link).toHaveAttribute('href', /\/api\/dashboards\/queue\.pdf\?.*from=/);
  await expectPdf(await page.request.get((await link.getAttribute('href')) ?? ''));
});

for (const address of ['/digests', '/digests/monday-morning', '/digests/new'])
  test(`${address} has no accessibility violations in light and dark, and fits a phone`, async ({ page }) => {
    await open(page, address);
    await expectAccessible(page);
    await expectFits(page);
  });
