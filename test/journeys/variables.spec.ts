// Variables: an admin declares one, pages are filtered and split by it, and its receipt, its file and its document have the numbers of the API.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, panel, settled, testOnKeptPage as test } from './product.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const range = `from=${daysAgo(9)}&to=${daysAgo(2)}`;
const splitBy = (page: Page, title: string) => panel(page, title).getByLabel('Split by');
const numberIn = (text: string | null): number => Number((text ?? '').replaceAll(/\D/g, ''));

/** What the API counts of each plan over the range. */
async function chatsByPlan(page: Page): Promise<Record<string, number>> {
  const answer = await page.request.get(`/api/metrics/total_chats?split=variable:plan&grain=total&${range}`);
  const { rows } = (await answer.json()) as { rows: { variable: string | null; chats: number }[] };
  return Object.fromEntries(rows.map(({ variable, chats }) => [variable ?? 'without Plan', chats]));
}

test.beforeAll(async ({ request }) => {
  const health = async () =>
    (await (await request.get('/api/health')).json()) as { pull: { last_success_at: string | null } };
  await expect.poll(async () => (await health()).pull.last_success_at, { timeout: 120_000 }).not.toBeNull();
  const plan = { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' };
  const saved = await request.put('/api/variables', { data: { variables: [plan] } });
  expect(saved.status()).toBe(200);
  const isThere = async () =>
    ((await (await request.get('/api/variables')).json()) as { in_snapshot: boolean }).in_snapshot;
  await expect.poll(isThere, { timeout: 120_000 }).toBe(true);
});

test('a value of a declared variable narrows every page, its links and what is taken from it', async ({
  page,
  complaints,
}) => {
  await open(page, `/chats?${range}`);
  const byPlan = await chatsByPlan(page);
  const filters = page.getByLabel('Filters');
  await filters.locator('summary', { hasText: 'Plan: all' }).click();
  await filters.getByRole('checkbox', { name: 'plus', exact: true }).check();
  await expect(page).toHaveURL(/variable=plan%3Aplus/);
  await settled(page);
  const tile = page.getByRole('region', { name: 'Chats', exact: true });
  await expect(tile).toContainText(String(byPlan['plus']));
  await page.getByRole('link', { name: 'Transcripts' }).first().click();
  await expect(page).toHaveURL(/\/transcripts\?.*variable=plan%3Aplus/);
  expect(numberIn(await page.getByText(/^[\d,]+ chats$/).textContent())).toBe(byPlan['plus']);
  await page.getByRole('link', { name: 'Export these chats' }).click();
  await expect(page).toHaveURL(/\/chat-rows\?.*variable=plan%3Aplus/);
  expect(numberIn(await page.getByText(/^[\d,]+ chats$/).textContent())).toBe(byPlan['plus']);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/variable/);
  expect(complaints).toEqual([]);
});

test('the palette splits and narrows by a variable', async ({ page, complaints }) => {
  await open(page, `/queue?${range}`);
  const byPlan = await chatsByPlan(page);
  const choose = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Page, date/ }).fill(text);
    await expect(page.getByRole('option').first()).toHaveText(option);
    await page.keyboard.press('Enter');
  };
  await choose('chats by plan', /^Chats over time, by Plan\s*Panel$/);
  await expect(page.getByRole('heading', { name: 'Chats over time, by Plan' })).toBeVisible();
  await choose('chats where plan is plus', /^Chats, Plan: plus\s*Page$/);
  await expect(page).toHaveURL(/\/chats\?.*variable=plan%3Aplus/);
  await settled(page);
  await expect(page.getByRole('region', { name: 'Chats', exact: true })).toContainText(String(byPlan['plus']));
  expect(complaints).toEqual([]);
});

test('a panel of a board is split by a variable, and the board by its reader’s filter', async ({
  page,
  complaints,
}) => {
  const made = await page.request.post('/api/boards', {
    data: { title: 'By plan', panels: [{ panel: 'chats/volume', size: 'full' }] },
  });
  const { id } = (await made.json()) as { id: string };
  await open(page, `/board/${id}?${range}#edit`);
  const editor = page.getByRole('region', { name: 'Edit this board' });
  await editor.getByRole('combobox', { name: 'Split by: Chats over time' }).selectOption({ label: 'By Plan' });
  await expect(editor.getByRole('status')).toContainText('Saved.');
  const split = panel(page, 'Chats over time, by Plan');
  await expect(split).toBeVisible();
  await page.reload();
  await settled(page);
  await split.getByText('Table').click();
  await expect(split.getByRole('table')).toContainText('plus');
  await page.getByLabel('Filters').locator('summary', { hasText: 'Plan: all' }).click();
  await page.getByLabel('Filters').getByRole('checkbox', { name: 'plus', exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`/board/${id}\\?.*variable=plan%3Aplus`));
  const pdf = await page.request.get((await page.getByRole('link', { name: /as PDF/ }).getAttribute('href')) ?? '');
  expect(pdf.status()).toBe(200);
  await page.request.delete(`/api/boards/${id}`);
  expect(complaints).toEqual([]);
});

test('a panel is split by a variable; its table, receipt and file have the numbers of the API', async ({
  page,
  complaints,
}) => {
  await open(page, `/chats?${range}`);
  const byPlan = await chatsByPlan(page);
  await splitBy(page, 'Chats over time').selectOption('By Plan');
  await expect(page).toHaveURL(/split=volume\.variable%3Aplan$/);
  await settled(page);
  const shown = panel(page, 'Chats over time, by Plan');
  await shown.locator('.drawing').first().scrollIntoViewIfNeeded();
  await expect(shown.locator('.drawing svg')).toBeVisible();
  await shown.getByText('Table').click();
  await expect(shown.getByRole('row', { name: /^Whole range/ })).toBeVisible();
  const heads = await shown.getByRole('columnheader').allTextContents();
  const whole = shown.getByRole('row', { name: /^Whole range/ }).getByRole('cell');
  const numbers = (await whole.allTextContents()).map(numberIn);
  expect(Object.fromEntries(heads.slice(1).map((name, at) => [name, numbers[at]]))).toEqual(byPlan);
  await shown.locator('.menu summary').click();
  const address = await shown.getByRole('link', { name: 'CSV' }).getAttribute('href');
  const file = await (await page.request.get(address ?? '')).text();
  const rows = file.trim().split('\r\n').slice(1);
  const inFile = rows.filter((row) => row.split(',')[1] === 'free').map((row) => Number(row.split(',')[2]));
  expect(inFile.reduce((sum, count) => sum + count, 0)).toBe(byPlan['free']);
  await page.keyboard.press('Escape');
  await whole
    .nth(heads.indexOf('free') - 1)
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(/\/receipt\/total_chats\?.*split=variable%3Aplan.*at\.variable=free/);
  await expect(page.getByText(`${byPlan['free']} chats`, { exact: true })).toBeVisible();
  await expect(page.getByText(/ · Plan free · /)).toBeVisible();
  await expect(page.getByText('It adds up')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('two values are a line each; what nobody declared is said; a narrow screen holds the filters', async ({
  page,
}) => {
  await open(page, `/chats?${range}&variable=plan%3Afree&variable=plan%3Aplus`);
  await expect(panel(page, 'Chats over time, by Plan')).toBeVisible();
  const pdf = await page.getByRole('link', { name: /as PDF/ }).getAttribute('href');
  expect(pdf).toContain('variable=plan%3Afree&variable=plan%3Aplus');
  expect((await page.request.get(pdf ?? '')).status()).toBe(200);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await open(page, `/chats?${range}&variable=login%3Aann`);
  await expect(page.getByRole('alert').first()).toContainText('The account has no variable “login” declared');
  await expect(page.getByText('Not available with these filters').first()).toBeVisible();
});
