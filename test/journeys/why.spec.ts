// Why a number is what it is: beside those before it, with its parts and its worst chats.
import { expect } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, panel, test } from './product.ts';

const day_ms = 86_400_000;

/** The last Tuesday that is over and not so young that most of its days are missing before it. */
function tuesday(): string {
  const yesterday = Date.now() - day_ms;
  return new Date(yesterday - ((new Date(yesterday).getUTCDay() + 5) % 7) * day_ms).toISOString().slice(0, 10);
}

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

test('a menu leads to it, it to the worst chat, and chats to each other', async ({ page, complaints }) => {
  await open(page, '/ratings?preset=28d');
  const shown = panel(page, 'Satisfaction over time (CSAT)');
  await shown.locator('.menu summary').click();
  await shown.getByRole('link', { name: 'Why?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chat ratings: Satisfaction');
  await expectAccessible(page);
  await expectFits(page);
  const chat = page.getByRole('listitem').filter({ hasText: 'rated bad' }).first();
  await chat.getByRole('link').first().click();
  await expect(page.getByText(/^Chat 1 of [\d,]+$/)).toBeVisible();
  await page.getByRole('link', { name: 'Next chat' }).click();
  await expect(page.getByText(/^Chat 2 of [\d,]+$/)).toBeVisible();
  await page.getByLabel('Where you came from').getByRole('link', { name: 'Why?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chat ratings: Satisfaction');
  expect(complaints).toEqual([]);
});

test('what cannot be asked is said, with what can', async ({ page }) => {
  await page.goto('/why/total_chats?from=2026-11-02&to=2026-11-03&grain=day&period=2026-12-24&measure=chats');
  await expect(page.locator('main')).toContainText('2026-11-02');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('a number of a table leads to its receipt, and that to why it is so', async ({ page }) => {
    await page.goto('/ratings?preset=7d');
    const shown = panel(page, 'Satisfaction over time (CSAT)');
    await shown.getByText('Table').click();
    await shown.getByRole('row').nth(3).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Why?' }).click();
    await expect(page.getByRole('heading', { name: 'Who and what account for it' })).toBeVisible();
  });
});
