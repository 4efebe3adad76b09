// What can be taken along from a panel: its address, its question, its picture, its numbers; each file opened again.
import { expect, type Download, type Locator, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { open, panel, testOnKeptPage as test } from './product.ts';

const title = 'Abandonment';

async function menu(page: Page, of = title) {
  const shown = panel(page, of);
  await shown.locator('.menu summary').click();
  await expect(shown.getByRole('button', { name: 'Copy link' })).toBeVisible();
  return shown;
}
async function download(page: Page, press: () => Promise<void>): Promise<{ file: Download; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { file, bytes: readFileSync(await file.path()) };
}

test('a panel and a tile are kept as PNG and SVG with all that they say, and a panel as CSV and XLSX with the numbers of the page', async ({
  page,
  complaints,
}) => {
  await open(page, '/queue?preset=7d');
  const shown = await menu(page);
  const png = await download(page, () => shown.getByRole('button', { name: 'PNG' }).click());
  expect(png.file.suggestedFilename()).toMatch(/^default-abandonment-.*\.png$/);
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(png.bytes.readUInt32BE(16)).toBe(1920);
  const svg = await download(page, () => shown.getByRole('button', { name: 'SVG' }).click());
  const text = svg.bytes.toString();
  for (const part of [title, 'Visitors who left, as a share', 'UTC', 'as of', 'Chatledger'])
    expect(text).toContain(part);
  const opened = await page.context().newPage();
  await opened.setContent(text);
  await expect(opened.locator('svg svg path').first()).toBeAttached();
  await expectTables(page, shown);
  await page.keyboard.press('Escape');
  await expectTile(page);
  expect(complaints).toEqual([]);
});

/** With its number, its change and its line. */
async function expectTile(page: Page): Promise<void> {
  const tile = panel(page, 'Queued visitors');
  const number = ((await tile.locator('.figure').textContent()) ?? '').trim();
  await tile.hover();
  const shown = await menu(page, 'Queued visitors');
  const png = await download(page, () => shown.getByRole('button', { name: 'PNG' }).click());
  expect(png.file.suggestedFilename()).toMatch(/^default-queued-visitors-.*\.png$/);
  expect(png.bytes.readUInt32BE(16)).toBe(1920);
  const svg = await download(page, () => shown.getByRole('button', { name: 'SVG' }).click());
  const text = svg.bytes.toString();
  for (const part of ['Queued visitors', `>${number}<`, 'the week before', 'UTC', 'Chatledger', '<path d="M'])
    expect(text).toContain(part);
  const opened = await page.context().newPage();
  await opened.setContent(text);
  await expect(opened.locator('svg text').first()).toBeVisible();
}

async function expectTables(page: Page, shown: Locator): Promise<void> {
  const csv = await download(page, () => shown.getByRole('link', { name: 'CSV' }).click());
  expect(csv.file.suggestedFilename()).toMatch(/^default-abandonment-.*\.csv$/);
  const [head, ...rows] = csv.bytes.toString().replace('\ufeff', '').trim().split('\r\n');
  expect(head).toMatch(
    /^period,abandoned \(share\),queued visitors,compared with,"abandoned \(share\), compared","queued visitors, compared",state$/,
  );
  expect(rows).toHaveLength(7);
  const xlsx = await download(page, () => shown.getByRole('link', { name: 'XLSX' }).click());
  expect(Object.keys(unzipSync(new Uint8Array(xlsx.bytes)))).toContain('xl/worksheets/sheet1.xml');
}

test('a menu is closed by Escape; its link shows the same picture, its API call gives the numbers, and it leads to the table and the receipt', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/queue?preset=7d');
  let shown = await menu(page);
  await page.keyboard.press('Escape');
  await expect(shown.getByRole('button', { name: 'Copy link' })).toBeHidden();
  await expect(shown.locator('.menu summary')).toBeFocused();
  shown = await menu(page);
  await shown.getByRole('button', { name: 'Copy API call' }).click();
  await expect(shown.getByRole('status')).toHaveText('Copied');
  const call = await page.evaluate(() => navigator.clipboard.readText());
  const answer = (await (await page.request.get(call)).json()) as { metric: string; rows: unknown[] };
  expect([answer.metric, answer.rows.length]).toEqual(['queued_visitors', 7]);
  await shown.getByRole('button', { name: 'Copy link' }).click();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await expect(page).toHaveURL(/\/queue\?preset=7d#abandonment$/);
  await expect(panel(page, title)).toBeInViewport();
  await page.keyboard.press('Escape');
  shown = await menu(page);
  await shown.getByRole('button', { name: 'Show as a table' }).click();
  await expect(shown.getByRole('table')).toBeVisible();
  await shown.locator('.menu summary').click();
  await shown.getByRole('link', { name: 'Where the number comes from' }).click();
  await expect(page).toHaveURL(/\/receipt\/queued_visitors\?/);
});

test('agents are kept as CSV and as a workbook, each number beside that of the time before', async ({ page }) => {
  await open(page, '/agents?preset=7d');
  const csv = await download(page, () => page.getByRole('link', { name: 'CSV' }).click());
  expect(csv.file.suggestedFilename()).toMatch(/^default-agents-.*\.csv$/);
  const [head = '', ...lines] = csv.bytes.toString().slice(1).trim().split('\r\n');
  expect(head).toMatch(/^Agent,Login,Chats,"?Chats, \d{4}-/);
  const names = await page.locator('tbody th').allTextContents();
  expect(lines.map((line) => line.slice(0, line.indexOf(','))).sort()).toEqual(
    [...names.map((name) => name.trim()), 'The whole team'].sort(),
  );
  const xlsx = await download(page, () => page.getByRole('link', { name: 'Excel' }).click());
  const sheet = Buffer.from(unzipSync(xlsx.bytes)['xl/worksheets/sheet1.xml'] ?? []).toString();
  expect(sheet.match(/<row /g)).toHaveLength(lines.length + 1);
});
