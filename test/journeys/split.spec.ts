// Panels split by their readers: with the mouse, the keyboard, on a phone and without scripts; and chosen groups beside each other.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, panel, settled, test as testAlone, testOnKeptPage as test } from './product.ts';

const splitBy = (page: Page, title: string) => panel(page, title).getByLabel('Split by');

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const range = `from=${daysAgo(9)}&to=${daysAgo(2)}`;

/** What the API counts by group over the range, the largest first. */
async function chatsByGroup(page: Page): Promise<number[]> {
  const answer = await page.request.get(`/api/metrics/total_chats?split=group&grain=total&${range}`);
  const { rows } = (await answer.json()) as { rows: { chats: number }[] };
  return rows.map(({ chats }) => chats).sort((one, other) => other - one);
}

test('a panel is split by group: a line for each, and a table with the number of each', async ({
  page,
  complaints,
}) => {
  await open(page, `/chats?${range}`);
  await splitBy(page, 'Chats over time').selectOption('By group');
  await expect(page).toHaveURL(/&split=volume\.group$/);
  const shown = panel(page, 'Chats over time, by group');
  await settled(page);
  await expect(shown.locator('.drawing svg')).toBeVisible();
  await shown.getByText('Table').click();
  const whole = await shown
    .getByRole('row', { name: /^Whole range/ })
    .getByRole('cell')
    .allTextContents();
  expect(whole.map((text) => Number(text.replaceAll(/\D/g, '')))).toEqual(await chatsByGroup(page));
  await expect(panel(page, 'How long chats last')).toBeVisible();
  await splitBy(page, 'Chats over time, by group').selectOption('Not split');
  await expect(page).not.toHaveURL(/split/);
  await expect(panel(page, 'Chats over time')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('what is split stays split with other dates, in its file and its document, and leaves other pages alone', async ({
  page,
}) => {
  await open(page, '/chats?split=volume.country');
  await page.getByLabel('Filters').locator('summary').first().click();
  await page.getByRole('link', { name: 'Last 7 days', exact: true }).click();
  await expect(page).toHaveURL(/preset=7d.*split=volume\.country/);
  const shown = panel(page, 'Chats over time, by country');
  await shown.getByRole('group').locator('summary').first().hover();
  await shown.locator('.menu summary').click();
  const file = await shown.getByRole('link', { name: 'CSV' }).getAttribute('href');
  expect((await (await page.request.get(file ?? '')).text()).split('\r\n')[0]).toContain('period,country,chats');
  const pdf = await page.getByRole('link', { name: /as PDF/ }).getAttribute('href');
  expect(pdf).toContain('split=volume.country');
  expect((await page.request.get(pdf ?? '')).status()).toBe(200);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
  await expect(page).toHaveURL(/\/queue\?preset=7d$/);
});

test('first response of two groups by hour takes four steps', async ({ page }) => {
  await open(page, '/responses?preset=7d');
  await page.getByLabel('Filters').locator('summary', { hasText: 'All groups' }).click();
  await page.getByTitle('Sales', { exact: true }).click();
  await page.getByTitle('Technical Support', { exact: true }).click();
  await page.getByLabel('Group by').selectOption('By hour');
  await expect(page).toHaveURL(/group=1&group=2.*grain=hour/);
  const shown = panel(page, 'Time to the first response, by group');
  await settled(page);
  await expect(shown.locator('.summary')).toContainText(/over the whole range: .*Sales .*chats\)/);
  await expect(shown.locator('.summary')).toContainText(/Technical Support \d+ s \([\d,]+ chats\)/);
  await page.getByLabel('Several chosen').selectOption('Together');
  await expect(page).toHaveURL(/chosen=together/);
  await expect(panel(page, 'Time to the first response')).toBeVisible();
  await page.getByLabel('Several chosen').selectOption('Compare');
  await expect(shown).toBeVisible();
  await splitBy(page, 'Time to the first response, by group').selectOption('Together');
  await expect(page).toHaveURL(/split=first-response\.none/);
  await expect(panel(page, 'Time to the first response')).toBeVisible();
  await expect(panel(page, 'Time to a response, by group')).toBeVisible();
});

test('split panels have no accessibility violations', async ({ page }) => {
  await open(page, '/chats?preset=7d&group=1&group=2&split=missed.agent&split=duration.weekday');
  await expectAccessible(page);
});

test('the keyboard splits a panel, and the control keeps the focus', async ({ page }) => {
  await open(page, '/ratings?preset=7d');
  await splitBy(page, 'Satisfaction over time (CSAT)').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/split=csat\.group/);
  const shown = splitBy(page, 'Satisfaction over time (CSAT), by group');
  await expect(shown).toBeFocused();
  await expect(shown).toHaveValue('csat.group');
});

test('on a phone a split panel fits, and its weekdays stand in their order', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/chats?preset=28d&split=volume.group');
  await splitBy(page, 'How chats began').selectOption('By weekday');
  await expect(page).toHaveURL(/split=volume\.group&split=engagement\.weekday/);
  const shown = panel(page, 'How chats began, by weekday');
  await settled(page);
  await shown.getByText('Table').click();
  await expect(shown.getByRole('rowheader')).toHaveText([
    ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a split that there is not is said, and one that the metric does not have is refused with its choices', async ({
  page,
}) => {
  await open(page, '/goals?split=goals-trend.country&split=conversion.moon');
  await expect(page.getByRole('alert')).toContainText('conversion.moon');
  await expect(panel(page, 'Goals over time, by country')).toContainText(/Possible here: agent, group/);
  await expect(panel(page, 'Goals over time, by country')).toContainText('Not available here');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  testAlone('the choice is sent by a button, and the table has the numbers', async ({ page }) => {
    await page.goto('/chats?preset=7d&group=1');
    const shown = panel(page, 'Chats over time');
    await shown.getByLabel('Split by').selectOption('By country');
    await shown.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/group=1.*split=volume\.country/);
    const split = panel(page, 'Chats over time, by country');
    await split.getByText('Table').click();
    await expect(split.getByRole('row', { name: /Germany/ }).first()).toBeVisible();
  });
});
