// A bar filters the page, a drag over a time axis chooses its days; with the mouse, the keyboard and without scripts.
import { expect, type Page } from '@playwright/test';
import { open, panel, settled, test as testAlone, testOnKeptPage as test } from './product.ts';

const figure = async (page: Page): Promise<number> =>
  Number((await panel(page, 'Chats').locator('.figure').textContent())?.replaceAll(/\D/g, ''));

/** A place on a bar beside the names of rows, at a part of the height of a drawing. */
async function placeOn(page: Page, title: string, part: number) {
  const { x = 0, y = 0, height = 0 } = (await panel(page, title).locator('.drawing').boundingBox()) ?? {};
  return [x + 190, y + part * height] as const;
}

test('a bar filters the page to its tag, and the same bar takes the filter away', async ({ page, complaints }) => {
  await open(page, '/chats?preset=7d');
  const all = await figure(page);
  const shown = panel(page, 'What chats were about');
  await shown.scrollIntoViewIfNeeded();
  await settled(page);
  await page.mouse.move(...(await placeOn(page, 'What chats were about', 0.2)));
  await expect(shown.locator('.tip')).toContainText('Filters the page');
  const tag = (await shown.locator('.tip-title').textContent()) ?? '';
  const count = await shown.locator('.tip-value').first().textContent();
  await page.mouse.click(...(await placeOn(page, 'What chats were about', 0.2)));
  await expect(page).toHaveURL((url) => url.searchParams.get('tag') === tag);
  await settled(page);
  expect(await figure(page)).toBe(Number(count?.replaceAll(/\D/g, '')));
  await shown.scrollIntoViewIfNeeded();
  await settled(page);
  await page.mouse.click(...(await placeOn(page, 'What chats were about', 0.5)));
  await expect(page).not.toHaveURL(/tag=/);
  await settled(page);
  expect(await figure(page)).toBe(all);
  await page.goBack();
  await expect(page).toHaveURL(/tag=/);
  expect(complaints).toEqual([]);
});

test('the keyboard filters by the name of a row, and by the same name no more; its numbers lead to their receipts still', async ({
  page,
}) => {
  await open(page, '/queue?preset=7d');
  const shown = panel(page, 'Queue by group');
  await shown.locator('summary', { hasText: 'Table' }).press('Enter');
  await shown.getByRole('link', { name: 'Technical Support', exact: true }).press('Enter');
  await expect(page).toHaveURL(/group=2/);
  await settled(page);
  await expect(shown.getByRole('rowheader')).toHaveText(['Technical Support']);
  await shown.getByRole('link', { name: 'Technical Support', exact: true }).press('Enter');
  await expect(page).not.toHaveURL(/group=/);
  await settled(page);
  await shown.getByRole('row', { name: /Sales/ }).getByRole('cell').first().getByRole('link').click();
  await expect(page).toHaveURL(/\/receipt\/queued_visitors\?.*at\.group=1/);
});

/** Presses on a place of the time axis, and moves to another. */
async function drag(page: Page, title: string, from: number, to: number): Promise<void> {
  const drawing = panel(page, title).locator('.drawing');
  await drawing.scrollIntoViewIfNeeded();
  await settled(page);
  const box = (await drawing.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (share: number) => [box.x + 40 + share * (box.width - 160), box.y + box.height / 2] as const;
  await page.mouse.move(...at(from));
  await page.waitForTimeout(300);
  await page.mouse.down();
  await page.mouse.move(...at((from + to) / 2));
  await page.mouse.move(...at(to), { steps: 4 });
}

test('a drag over days makes them the range of the page; Escape leads back, and gives up a drag', async ({ page }) => {
  await open(page, '/chats');
  const before = page.url();
  await drag(page, 'Chats over time', 0.6, 0.3);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(page.url()).toBe(before);
  await drag(page, 'Chats over time', 0.6, 0.3);
  const named = await panel(page, 'Chats over time').locator('.chart > [aria-hidden="true"]').last().textContent();
  expect(named).toMatch(/\d/);
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  const { searchParams } = new URL(page.url());
  const days = (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 86_400_000 + 1;
  expect(days).toBeGreaterThan(3);
  expect(days).toBeLessThan(15);
  await settled(page);
  await expect(page.getByLabel('Filters').locator('summary').first()).toContainText(named ?? '');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(before);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  testAlone('the name of a row filters the page', async ({ page }) => {
    await page.goto('/chats?preset=7d');
    const shown = panel(page, 'What chats were about');
    await shown.getByText('Table').click();
    await shown.getByRole('link', { name: 'refund', exact: true }).click();
    await expect(page).toHaveURL(/tag=refund/);
  });
});
