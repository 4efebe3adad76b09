// For every reader: table twins, text that stays text, open menus without accessibility violations, and a narrow screen.
import { expect } from '@playwright/test';
import { partOf } from '../whole.ts';
import { expectAccessible } from './accessible.ts';
import { open, panel, settled, testOnKeptPage as test } from './product.ts';

test.describe.configure({ mode: 'parallel' });

test('the heatmap has a table twin and a sentence', async ({ page }) => {
  await open(page, '/occupancy');
  const shown = panel(page, 'Concurrent chats by weekday and hour');
  await shown.locator('summary', { hasText: 'Table' }).click();
  await expect(shown.getByRole('columnheader', { name: 'Sunday' })).toBeVisible();
  await expect(shown.getByRole('row')).toHaveCount(25);
  await expect(shown.locator('.summary')).toContainText('highest');
  await shown.getByText('mean', { exact: true }).click();
  await expect(shown.locator('.summary')).toContainText('Mean');
});

test('text from the address shows as text', async ({ page, complaints }) => {
  const name = '<img src=x onerror=alert(1)>';
  page.on('dialog', () => complaints.push('a script ran'));
  await open(page, `/?tag=${encodeURIComponent(name)}`);
  await expect(page.getByLabel('Filters').locator('.value', { hasText: name })).toBeVisible();
  await expect(page.locator('img')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('text from the data shows as text, in the table, in the tooltip and among the comments', async ({
  page,
  complaints,
}) => {
  const name = '<b class="injected">Ann</b>';
  page.on('dialog', () => complaints.push('a script ran'));
  await page.route('**/api/metrics/chat_ranking?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { rows: Record<string, unknown>[] };
    for (const row of answer.rows) row['agent'] = name;
    await route.fulfill({ json: answer });
  });
  const said = '<img src=x onerror=alert(1)> <b class="injected">bold</b> مرحبا 👋';
  await page.route('**/api/chats?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { rows: Record<string, unknown>[] };
    for (const row of answer.rows)
      Object.assign(row, { visitor_name: said, answers: [{ question: said, answer: said }] });
    await route.fulfill({ json: answer });
  });
  await open(page, '/');
  await page.getByRole('link', { name: 'Ratings', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ratings');
  await settled(page);
  const shown = panel(page, 'Agents by rating');
  await shown.locator('summary', { hasText: 'Table' }).click();
  await expect(shown.getByRole('rowheader', { name }).first()).toBeVisible();
  await expect(page.getByText(said).first()).toBeVisible();
  await expect(page.locator('.injected, main img')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('the pages can be used with the keyboard alone', async ({ page }) => {
  await open(page, '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the numbers' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#numbers')).toBeFocused();
  const dates = page.getByLabel('Filters').locator('summary').first();
  for (let tabs = 0; tabs < 6 && !(await dates.evaluate((it) => it === document.activeElement)); tabs++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('First day')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('First day')).toBeHidden();
});

test('on a narrow screen the filters wait behind a button, which says how many are set', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/queue?preset=7d&compare=none');
  await expect(page.getByLabel('Compare with')).toBeHidden();
  await expect(page.getByText('More filters · 1 set')).toBeVisible();
  await page.getByText('More filters').click();
  await page.getByLabel('Compare with').selectOption('year');
  await expect(page).toHaveURL(/compare=year/);
  await expect(page.getByLabel('Compare with')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('filters that make no difference to a page are not offered there, and are kept for the next', async ({ page }) => {
  await open(page, '/transcripts?compare=year&grain=week');
  for (const name of ['Compare with', 'Group by']) await expect(page.getByLabel(name)).toHaveCount(0);
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await expect(page).toHaveURL(/timezone=Asia%2FTokyo&grain=week&compare=year/);
  await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
  await expect(page.getByLabel('Compare with')).toHaveValue('year');
});

/** What is open at the moment; the rest of the page is held above. */
const opened = 'details[open]';

// A narrow screen has all menus of a wide one and one more.
for (const width of partOf([390, 1440], 2))
  test(`open menus have no accessibility violations, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, '/?preset=7d');
    const shown = panel(page, 'Chats over time');
    await shown.locator('.menu summary').click();
    await expect(shown.getByRole('button', { name: 'Copy link' })).toBeVisible();
    await expectAccessible(page, opened);
    await page.locator('.views summary').click();
    await expect(page.getByRole('textbox', { name: 'Save this page with its filters' })).toBeVisible();
    await expectAccessible(page, opened);
    await page.keyboard.press('Escape');
    if (width < 900) await page.getByText('More filters').click();
    for (const name of ['Last 7 days', 'All agents']) {
      await page.getByLabel('Filters').locator('summary', { hasText: name }).click();
      await expectAccessible(page, opened);
      await page.keyboard.press('Escape');
    }
    await shown.locator('details > summary', { hasText: 'Table' }).click();
    await expect(shown.getByRole('table')).toBeVisible();
    await expectAccessible(page, opened);
    if (width > 900) return;
    await page.getByText('More', { exact: true }).click();
    await expect(page.getByRole('group', { name: 'All pages' })).toBeVisible();
    // The whole page, with everything that a narrow screen hides opened.
    await expectAccessible(page);
  });

test('who asks for less motion gets none', async ({ page }) => {
  const lasting = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('*')].map((it) => getComputedStyle(it));
      const seconds = (text: string) => Math.max(...text.split(',').map((it) => parseFloat(it)));
      return all.filter((it) => seconds(it.transitionDuration) > 0 || it.animationName !== 'none').length;
    });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open(page, '/?preset=7d');
  expect(await lasting()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await lasting()).toBe(0);
});
