// Why was Tuesday low: three steps with the mouse, the keyboard and a finger, and the same as a page of its own.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { awake, open, panel, settled, test as testAlone, testOnKeptPage as test } from './product.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const csat = (page: Page) => panel(page, 'Satisfaction over time (CSAT)').locator('.drawing');
const day_ms = 86_400_000;

/** The last Tuesday that is over and not so young that most of its days are missing before it. */
function tuesday(): string {
  const yesterday = Date.now() - day_ms;
  return new Date(yesterday - ((new Date(yesterday).getUTCDay() + 5) % 7) * day_ms).toISOString().slice(0, 10);
}

/** Where the chart has a day: as its tip says. */
async function placeOf(page: Page, day: string): Promise<[x: number, y: number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await csat(page).boundingBox()) ?? {};
  const name = new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  for (let at = 0.05; at < 0.95; at += 0.01) {
    await page.mouse.move(x + width * at, y + height / 2);
    const title = await page.locator('.tip-title').allTextContents();
    if (title.some((text) => text.endsWith(name))) return [x + width * at, y + height / 2];
  }
  throw new Error(`no place of the chart is ${name}`);
}

async function opened(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/why\/chat_ratings\?.*measure=csat/);
  await expect(dialog(page).getByRole('heading', { level: 2 })).toHaveText('Chat ratings: Satisfaction');
  await expect(dialog(page).locator('.sentence')).toBeVisible();
}

test('with the mouse: press the day, read, open the worst chat; Back leads to the panel at its place', async ({
  page,
  complaints,
}) => {
  await open(page, '/ratings?preset=28d');
  await csat(page).evaluate((it) => it.scrollIntoView({ block: 'center' }));
  await settled(page);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.click(...(await placeOf(page, tuesday())));
  await opened(page);
  await expect(page).toHaveURL(new RegExp(`period=${tuesday()}`));
  await expect(dialog(page).getByRole('heading', { name: 'By group' })).toBeVisible();
  const chat = dialog(page).getByRole('listitem').filter({ hasText: 'rated' }).first();
  await expect(chat).toContainText('rated bad');
  const why = page.url();
  await chat.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chat with');
  await expect(page.getByText(/^Chat 1 of \d+$/)).toBeVisible();
  await page.getByRole('link', { name: 'Next chat' }).click();
  await expect(page.getByText(/^Chat 2 of \d+$/)).toBeVisible();
  await page.getByRole('link', { name: 'Previous chat' }).click();
  await expect(page.getByText(/^Chat 1 of \d+$/)).toBeVisible();
  await page.getByLabel('Where you came from').getByRole('link', { name: 'Why?' }).click();
  await expect(page).toHaveURL(why);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chat ratings: Satisfaction');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await opened(page);
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/ratings\?preset=28d$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  expect(complaints).toEqual([]);
});

test('with the keyboard: arrows walk the chart, Enter opens, Escape closes', async ({ page }) => {
  await open(page, '/ratings?preset=7d');
  const walk = panel(page, 'Satisfaction over time (CSAT)').getByRole('link', { name: /arrow keys/ });
  await walk.focus();
  await expect(panel(page, 'Satisfaction over time (CSAT)').locator('.tip')).toBeVisible();
  const newest = await walk.textContent();
  await page.keyboard.press('ArrowLeft');
  await expect(walk).not.toHaveText(newest ?? '');
  await expect(panel(page, 'Satisfaction over time (CSAT)').locator('.tip')).toBeVisible();
  await page.keyboard.press('Enter');
  await opened(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/ratings\?preset=7d$/);
  await expect(walk).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  testAlone('a tap shows the tip, its link opens, a part of the number opens in its place', async ({ page }) => {
    await open(page, '/ratings?preset=7d');
    await csat(page).evaluate((it) => it.scrollIntoView({ block: 'center' }));
    await settled(page);
    const { x = 0, y = 0, width = 0, height = 0 } = (await csat(page).boundingBox()) ?? {};
    await page.touchscreen.tap(x + width * 0.4, y + height * 0.5);
    const tip = panel(page, 'Satisfaction over time (CSAT)').locator('.tip');
    await expect(page).toHaveURL(/\/ratings\?preset=7d$/);
    await tip
      .getByRole('link', { name: /^Why\?/ })
      .first()
      .tap();
    await opened(page);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // Which groups account for most of a day depends on the day that the taps come to.
    const part = dialog(page).locator('a[href*="at.group="]').first();
    const [group, address] = [await part.textContent(), await part.getAttribute('href')];
    await part.tap();
    await expect(page).toHaveURL(new RegExp(`at\\.group=${/at\.group=(\d+)/.exec(address ?? '')?.[1]}&`));
    await expect(dialog(page)).toContainText(`group ${group}`);
    await page.goBack();
    await expect(page).not.toHaveURL(/at\.group/);
    await dialog(page).getByRole('button', { name: 'Close' }).tap();
    await expect(page).toHaveURL(/\/ratings\?preset=7d$/);
  });
});

test('the number and what it is compared with are those of the days, counted by hand', async ({ page }) => {
  await open(page, '/ratings');
  const day = tuesday();
  const first = new Date(Date.parse(day) - 28 * day_ms).toISOString().slice(0, 10);
  const asked = await page.request.get(`/api/metrics/chat_ratings?grain=day&from=${first}&to=${day}`);
  const { timezone, rows } = (await asked.json()) as { timezone: string; rows: Rated[] };
  const own = rows.at(-1);
  const weeks = [7, 14, 21, 28].map((days) => rows.at(-1 - days)).filter((it) => it?.state !== 'not_pulled');
  const sum = (of: 'good' | 'rated') => weeks.reduce((all, row) => all + (row?.[of] ?? 0), 0);
  const names = ['', 'the Tuesday', 'the two Tuesdays', 'the three Tuesdays', 'the four Tuesdays'];
  await page.goto(`/why/chat_ratings?from=${day}&to=${day}&timezone=${timezone}&grain=day&period=${day}&measure=csat`);
  const percent = (share: number) => `${(Math.floor(share * 1000 + 0.5) / 10).toFixed(1)}%`;
  await expect(page.locator('.sentence')).toContainText(
    `${percent((own?.good ?? 0) / (own?.rated ?? 0))} of ${own?.rated} rated chats against ` +
      `${percent(sum('good') / sum('rated'))} of ${sum('rated')} on ${names[weeks.length]} before`,
  );
});

interface Rated {
  state: string;
  good: number;
  rated: number;
}

test('beside its page and as a page of its own it has no accessibility violations', async ({ page }) => {
  await open(page, '/ratings?preset=7d');
  await panel(page, 'Satisfaction (CSAT)').locator('.change a').click();
  await opened(page);
  await expectAccessible(page, 'dialog');
  await page.keyboard.press('Escape');
  const shown = panel(page, 'Satisfaction over time (CSAT)');
  await shown.locator('.menu summary').click();
  await shown.getByRole('link', { name: 'Why?' }).click();
  await opened(page);
  await awake(page, () => page.reload());
  await settled(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chat ratings: Satisfaction');
  await expectAccessible(page);
  await expectFits(page);
});

test('what cannot be asked is said, with what can', async ({ page }) => {
  await page.goto('/why/total_chats?from=2026-11-02&to=2026-11-03&grain=day&period=2026-12-24&measure=chats');
  await expect(page.locator('main')).toContainText('2026-11-02');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  testAlone('a number of a table leads to its receipt, and that to why it is so', async ({ page }) => {
    await page.goto('/ratings?preset=7d');
    const shown = panel(page, 'Satisfaction over time (CSAT)');
    await shown.getByText('Table').click();
    await shown.getByRole('row').nth(3).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Why?' }).click();
    await expect(page.getByRole('heading', { name: 'Who and what account for it' })).toBeVisible();
  });
});
