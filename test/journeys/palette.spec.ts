// The command palette: anywhere to anywhere with the keyboard alone.
import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, test } from './product.ts';

const name = 'Page, view, agent, group or metric';

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

test('agents, groups and metrics are found; arrows choose, Escape leaves', async ({ page }) => {
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
  await field.fill('no such thing');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await field.fill('');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('dialog').getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('dialog').getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a group narrows the page on screen', async ({ page }) => {
  await open(page, '/queue');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name }).fill('technical support');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/queue\?group=\d+$/);
});
