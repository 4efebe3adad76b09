// From a number to the lines it is made of: tiles, bars, receipts, chats, and the reconciliation.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, panel, testOnKeptPage as test } from './product.ts';

const bar = (page: Page) => panel(page, 'Chats over time').locator('.drawing');

/** The receipt of yesterday's first responses, and its first chat. */
async function openReceipt(page: Page): Promise<void> {
  await open(page, '/?preset=7d');
  const responses = panel(page, 'Time to the first response');
  await responses.locator('summary', { hasText: 'Table' }).click();
  await responses.getByRole('row').nth(3).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('First response time');
}

test('a bar leads to why it is so, that to its receipt, the receipt to a chat, the chat to the measured line', async ({
  page,
  complaints,
}) => {
  await open(page, '/?preset=7d');
  const box = await bar(page).boundingBox();
  await bar(page).click({ position: { x: (box?.width ?? 0) * 0.4, y: (box?.height ?? 0) * 0.5 } });
  await expect(page).toHaveURL(/\/why\/total_chats\?.*period=/);
  await page.getByRole('dialog').getByRole('link', { name: 'Receipt', exact: true }).click();
  await expect(page).toHaveURL(/\/receipt\/total_chats\?.*period=/);
  await expect(page.getByRole('heading', { name: 'Why you can trust it' })).toBeVisible();
  await expect(page.getByText('It adds up')).toBeVisible();
  await openReceipt(page);
  // The statement, ready to copy.
  await expect(page.getByRole('region', { name: 'The exact SQL' })).toContainText('facts.chats');
  await expect(page.getByText('npx chatledger sql')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
  await page
    .getByRole('region', { name: 'The chats behind it' })
    .getByRole('rowheader')
    .first()
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(/\/chat\/.+#line-\d+$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chat with');
  await expect(page.locator('li.marked').first()).toBeVisible();
  await expect(page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`)).toBeVisible();
  await page.getByLabel('Where you came from').getByRole('link', { name: 'First response time' }).click();
  await expect(page.getByRole('heading', { name: 'The exact SQL' })).toBeVisible();
  await page.getByLabel('Where you came from').getByRole('link', { name: 'Overview' }).click();
  await expect(page).toHaveURL(/\/\?preset=7d$/);
  expect(complaints).toEqual([]);
});

test('the whole tile opens its receipt, and the number is the same', async ({ page }) => {
  await open(page, '/?preset=7d');
  const shown = panel(page, 'Chats');
  const number = ((await shown.locator('.figure').textContent()) ?? '').trim();
  await shown.click();
  await expect(page).toHaveURL(/\/receipt\/total_chats\?.*grain=total/);
  await expect(page.locator('.value')).toHaveText(`${number} chats`);
});

test('a receipt that cannot be says what could', async ({ page }) => {
  await page.goto('/receipt/total_chats?grain=day&measure=nothing');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no receipt for this');
});

test('the reconciliation says how much agrees and leads to the receipt of a cell', async ({ page, complaints }) => {
  await open(page, '/');
  await page.getByRole('link', { name: 'Reconciliation' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reconciliation');
  await expect(page.locator('.answer')).toContainText(/(\d[\d,]*) of \1 complete cells agree/);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width, height });
  await page.locator('select[name="reason"]').selectOption('equal');
  await page.locator('select[name="metric"]').selectOption('total_chats');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/reason=equal/);
  await page.locator('#cells').getByRole('rowheader').first().getByRole('link').click();
  await expect(page).toHaveURL(/\/receipt\/total_chats/);
  await expect(page.getByText('It agrees with the report')).toBeVisible();
  await expect(page.getByText('Both computations give the same number.')).toBeVisible();
  expect(complaints).toEqual([]);
});

/** The first chat behind the number that is open; it comes anew. */
async function expectMarkupAsText(page: Page, complaints: string[]): Promise<void> {
  const said = '<img src=x onerror=alert(1)> <b class="injected">bold</b>';
  page.on('dialog', () => complaints.push('a script ran'));
  await page.route('**/api/chats/*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { lines: Record<string, unknown>[] };
    for (const line of answer.lines) Object.assign(line, { text: said, author_name: said });
    await route.fulfill({ json: answer });
  });
  await page
    .getByRole('region', { name: 'The chats behind it' })
    .getByRole('rowheader')
    .first()
    .getByRole('link')
    .click();
  await expect(page.getByText(said).first()).toBeVisible();
  await expect(page.locator('.injected, main img')).toHaveCount(0);
  expect(complaints).toEqual([]);
}

test('a receipt and a chat of it have no accessibility violations, fit a phone, and show markup as text', async ({
  page,
  complaints,
}) => {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await openReceipt(page);
  await expectAccessible(page);
  const room = () =>
    page
      .getByRole('link', { name: 'All chats of these days and filters as rows' })
      .evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(await room()).toBeLessThanOrEqual(0);
  await expectFits(page);
  expect(await room()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width, height });
  await page
    .getByRole('region', { name: 'The chats behind it' })
    .getByRole('rowheader')
    .first()
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chat with');
  await expectAccessible(page);
  await expectFits(page);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('First response time');
  await expectMarkupAsText(page, complaints);
});

test('the receipt of a number that is not given says so, and that there is nothing to add up', async ({ page }) => {
  await open(page, '/receipt/goals?grain=total&measure=value');
  const main = page.locator('main');
  await expect(main.getByText('not given', { exact: true })).toBeVisible();
  await expect(main.getByText('There is nothing to add up')).toBeVisible();
  await expect(main.getByText('No number here: choose one, or split by currency.')).toBeVisible();
  await expect(main.getByText('It adds up')).toHaveCount(0);
});
