// Chats as rows: filters and columns in the address, the first rows on the page, and files with the same rows.
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, testOnKeptPage as test } from './product.ts';

async function taken(page: Page, kind: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: kind }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
const countOf = async (page: Page): Promise<number> =>
  Number((await page.getByText(/^[\d,]+ chats$/).textContent())?.replaceAll(/\D/g, ''));

test('what a search found is taken away with the columns that are chosen', async ({ page, complaints }) => {
  await open(page, '/transcripts?preset=7d&query=refund');
  const found = await countOf(page);
  expect(found).toBeGreaterThan(3);
  await page.getByRole('link', { name: 'Export these chats' }).click();
  await expect(page).toHaveURL(/\/chat-rows\?preset=7d&query=refund/);
  expect(await countOf(page)).toBe(found);
  await page.getByText(/^Columns: /).click();
  await page.getByRole('checkbox', { name: 'Agents', exact: true }).uncheck();
  await expect(page).toHaveURL(/columns=chat_id&columns=started/);
  await page.getByRole('checkbox', { name: 'Turnover' }).check();
  await expect(page).toHaveURL(/columns=turnover/);
  const table = page.getByRole('region', { name: 'Chats as rows' });
  await expect(table.getByRole('columnheader', { name: 'Turnover' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Agents', exact: true })).toHaveCount(0);
  const first = await table.getByRole('row').nth(1).getByRole('cell').first().textContent();

  const csv = await taken(page, 'CSV');
  expect(csv.name).toMatch(/^default-chats-.*\.csv$/);
  const text = csv.bytes.toString();
  expect(text.slice(1)).toMatch(/^chat_id,started,ended,timezone,duration_seconds,agent_names,/);
  expect(text.slice(0, 900)).toContain('turnover');
  expect(text.split('\r\n')[1]?.startsWith(`${first},`)).toBe(true);
  const sheet = unzipSync((await taken(page, 'Excel')).bytes)['xl/worksheets/sheet1.xml'];
  expect(
    Buffer.from(sheet ?? [])
      .toString()
      .match(/<row /g),
  ).toHaveLength(found + 1);
  expect((await taken(page, 'Parquet')).bytes.subarray(0, 4).toString()).toBe('PAR1');
  await page.reload();
  await expect(table.getByRole('columnheader', { name: 'Turnover' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('without scripts columns are chosen by a form, and files have the same', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/chat-rows?preset=7d&columns=chat_id&columns=rate');
  await page.getByText('Columns: 2 of ').click();
  await page.getByRole('checkbox', { name: 'Country' }).check();
  await page.getByRole('button', { name: 'Show these rows' }).click();
  await expect(page).toHaveURL(/preset=7d.*columns=chat_id&columns=rate&columns=country/);
  expect((await taken(page, 'CSV')).bytes.toString().slice(1)).toMatch(/^chat_id,rate,country\r\n/);
  await page.goto('/chat-rows?columns=nonsense');
  await expect(page.getByRole('alert')).toContainText('columns=nonsense is not one of chat_id, started');
  await context.close();
});

test('an address narrows the rows by country, which the page says; all fit a narrow screen; a page of figures says that it is not narrowed', async ({
  page,
}) => {
  await open(page, '/chat-rows?preset=7d&country=Germany');
  await expect(page.getByText('Only chats with country “Germany”.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL(/\/chat-rows\?preset=7d$/);
  await expect(page.getByText('Only chats with')).toHaveCount(0);
  await page.getByText(/^Columns: /).click();
  await expectAccessible(page);
  await expectFits(page);
  await open(page, '/queue?country=Germany');
  await expect(page.getByRole('alert')).toContainText('This page is not narrowed by country (“Germany”)');
});
