// The command palette: anywhere to anywhere with the keyboard alone.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, test as testAlone, testOnKeptPage as test } from './product.ts';

const name = 'Page, date, agent, group, metric, export, theme';

/** Chooses what is found first, which must be `option`; afterwards the palette is gone. */
async function chosenFrom(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name }).fill(text);
  await expect(page.getByRole('option').first()).toHaveText(option);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name })).toHaveCount(0);
}

test('a page is reached by a few letters, and the filters go along', async ({ page }) => {
  await open(page, '/?preset=7d');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name });
  await expect(field).toBeFocused();
  await field.pressSequentially('tick');
  await expect(page.getByRole('option').first()).toContainText('Tickets');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tickets\?preset=7d$/);
});

test('agents, groups and metrics are found; arrows choose, Escape leaves; ? lists the keys; a group narrows the page on screen', async ({
  page,
}) => {
  await open(page, '/queue');
  await page.getByRole('button', { name: /^Go to/ }).click();
  const field = page.getByRole('combobox', { name });
  await expectAccessible(page, 'dialog');
  for (const [text, kind] of [
    ['technical', 'Group'],
    ['o’leary', 'Agent'],
    ['total_chats', 'Metric'],
  ] as const) {
    await field.fill(text);
    await expect(page.getByRole('option').filter({ hasText: kind }).first()).toBeVisible();
  }
  // What nothing is called may have been said.
  await field.fill('no such thing');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText([/^Transcripts with “no such thing”/]);
  await field.fill('');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('dialog').getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('dialog').getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectKeys(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name }).fill('technical support');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/queue\?group=\d+$/);
});

testAlone('no key is lost that is typed while the palette is on its way, and Enter waits for it', async ({ page }) => {
  await open(page, '/queue');
  await page.route(/Palette/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.route(/\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ticc', { delay: 10 });
  await page.keyboard.press('Backspace');
  await page.keyboard.type('kets', { delay: 10 });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tickets$/);
});

test('days, exports and themes are found, and the pages before', async ({ page }) => {
  await open(page, '/queue?group=2');
  const choose = (text: string, option: RegExp) => chosenFrom(page, text, option);
  await choose('last week', /Last week\s*Date/);
  await expect(page).toHaveURL(/\/queue\?group=2&preset=last-week$/);
  await choose('2026-10-03', /3 Oct 2026\s*Date/);
  await expect(page).toHaveURL(/\/queue\?group=2&from=2026-10-03&to=2026-10-03$/);
  await choose('dark', /Dark theme\s*Theme/);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name }).fill('abandonment csv');
  const kept = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await kept).suggestedFilename()).toMatch(/\.csv$/);
  await page.getByRole('link', { name: 'Tickets' }).first().click();
  await expect(page).toHaveURL(/\/tickets/);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toHaveText(/^Queue.*Recent$/);
});

/** ? lists them, also from the palette, and is a letter where one writes. */
async function expectKeys(page: Page): Promise<void> {
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('Go to a page');
  await expectAccessible(page, 'dialog');
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name })).toBeFocused();
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
}

test('words are combined: a page or a panel, days, groups, by what, and as which file', async ({
  page,
  complaints,
}) => {
  await open(page, '/queue');
  const choose = (text: string, option: RegExp) => chosenFrom(page, text, option);
  const kept = page.waitForEvent('download');
  await choose('agents last month excel', /^Agents, Last month, Excel\s*Export$/);
  expect((await kept).suggestedFilename()).toMatch(/^default-agents-.*\.xlsx$/);
  await choose('group 2 last week', /^Queue, Technical Support, Last week\s*Page$/);
  await expect(page).toHaveURL(/\/queue\?preset=last-week&group=2$/);
  await choose('first response by hour', /^Time to the first response, by hour\s*Panel$/);
  await expect(page).toHaveURL(/\/\?.*grain=hour#first-response$/);
  await choose('sla', /^.*\s*Panel$/);
  await expect(page).toHaveURL(/#(?!first-response)/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name }).fill('abandonment by group');
  await expect(page.getByRole('option').first()).toHaveText(/^Abandonment, by group\s*Panel$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Abandonment, by group' })).toBeVisible();
  expect(complaints).toEqual([]);
});
