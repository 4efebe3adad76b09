// Filters stand in the address, change the numbers, and the browser's back and forward work.
import { expect, type Page } from '@playwright/test';
import { partOf } from '../whole.ts';
import { open, panel, settled, testOnKeptPage as test } from './product.ts';

const chats = (page: Page) => panel(page, 'Chats').locator('.figure').first();

test('a preset and an agent change the address and the number, and back brings both back', async ({ page }) => {
  await open(page, '/');
  const before = await chats(page).textContent();
  await page.getByLabel('Filters').locator('summary').first().click();
  await page.getByRole('link', { name: 'Yesterday', exact: true }).click();
  await expect(page).toHaveURL(/preset=yesterday/);
  await settled(page);
  await expect(chats(page)).not.toHaveText(before ?? '');
  const after = await chats(page).textContent();
  await page.goBack();
  await expect(page).not.toHaveURL(/preset/);
  await expect(chats(page)).toHaveText(before ?? '');
  await page.goForward();
  await expect(chats(page)).toHaveText(after ?? '');
  await page.goBack();
  await expect(chats(page)).toHaveText(before ?? '');
  const all = number(before);
  await page.getByLabel('Filters').locator('summary', { hasText: 'All agents' }).click();
  await page.locator('input[name="agent"]').first().check();
  await expect(page).toHaveURL(/agent=/);
  await settled(page);
  await expect.poll(async () => number(await chats(page).textContent())).toBeLessThan(all);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/agent=/);
});

test('weeks and months are presets, each with its own days; own days, a zone, a grain and a pressed name are chosen as well', async ({
  page,
}) => {
  await open(page, '/');
  const presets = [
    ['This week', 'week'],
    ['Last week', 'last-week'],
    ['Last 4 weeks', '28d'],
    ['Month to date', 'month'],
  ] as const;
  // Every other one; with the drill all.
  for (const [name, preset] of partOf(presets, 2, 1)) {
    await page.getByLabel('Filters').locator('summary').first().click();
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`preset=${preset}$`));
    await expect(page.getByLabel('Filters').locator('summary').first()).toContainText(name);
  }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Filters').locator('summary').first().click();
  await page.getByLabel('First day').fill(yesterday);
  await page.getByLabel('Last day').fill(yesterday);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(new RegExp(`from=${yesterday}&to=${yesterday}`));
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await expect(page).toHaveURL(/timezone=Asia%2FTokyo/);
  await page.getByLabel('Group by').selectOption('week');
  await expect(page).toHaveURL(/grain=week/);
  // As a press on its box does.
  await page.getByLabel('Filters').locator('summary', { hasText: 'All agents' }).click();
  await page.locator('label.choice span', { hasText: 'Amelia Hart' }).click();
  await expect(page).toHaveURL(/agent=amelia/);
  await expect(page.locator('label.choice', { hasText: 'Amelia Hart' })).toBeVisible();
});

for (const width of [1440, 390])
  test(`the filters stay on screen at ${width} and cover nothing that is gone to`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, '/chats');
    const bar = page.getByLabel('Filters', { exact: true });
    const top = async () => (await bar.boundingBox())?.y ?? -1;
    expect(await top()).toBeGreaterThan(20);
    await page.evaluate(() => scrollTo(0, 1500));
    await expect.poll(top).toBe(0);
    const height = (await bar.boundingBox())?.height ?? Infinity;
    expect(height).toBeLessThanOrEqual(64);
    await page.evaluate(() => (location.hash = 'missed'));
    await expect
      .poll(async () => (await page.locator('#missed h2').boundingBox())?.y ?? -1)
      .toBeGreaterThanOrEqual(height);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(top).toBeLessThan(0);
  });

test('what an address says wrongly is told, not ignored', async ({ page }) => {
  await open(page, '/?from=2026-02-30&to=2026-03-01');
  await expect(page.getByRole('alert')).toContainText('2026-02-30');
});

test('tickets in another zone say calmly where they are known, and lead there', async ({ page }) => {
  await open(page, '/tickets?timezone=Asia/Kolkata');
  await expect(page.getByText('Not available with these filters').first()).toBeVisible();
  await page.getByRole('link', { name: /^In / }).first().click();
  await expect(page).not.toHaveURL(/timezone/);
  await settled(page);
  await expect(panel(page, 'New and solved tickets').locator('svg').first()).toBeVisible();
});

function number(text: string | null): number {
  return Number((text ?? '').replace(/[^\d]/g, ''));
}

test('a range is chosen in two months by keys alone, and goes at once', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, '/queue?from=2026-01-05&to=2026-01-18');
  await page.locator('#filters summary').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('calendar-month')).toHaveCount(2);
  const day = (number: number) =>
    page
      .locator('calendar-month')
      .getByRole('button', { name: new RegExp(`^(${number} December|December ${number})$`) });
  await day(1).focus();
  await page.keyboard.press('ArrowDown');
  await expect(day(8)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Now choose the last day.')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(day(9)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=2025-12-08&to=2025-12-09/);
  await expect(page.getByLabel('First day')).toBeHidden();
});

test('a wide screen has all filters in one row, with room to spare for another typeface', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const address of ['/', '/tickets?timezone=America/Argentina/Buenos_Aires']) {
    await open(page, address);
    const [height, left] = await page.locator('form#filters').evaluate((bar) => {
      const last = [...bar.children].findLast((it) => it.getBoundingClientRect().width > 1);
      return [bar.clientHeight, bar.getBoundingClientRect().right - (last?.getBoundingClientRect().right ?? 0)];
    });
    expect([address, height < 64, left > 16]).toEqual([address, true, true]);
  }
});
