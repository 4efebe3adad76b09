// With what numbers are compared, which target the service level has, and whose numbers they are: in the address, and said.
import { expect } from '@playwright/test';
import { open, panel, settled, testOnKeptPage as test } from './product.ts';

test('the comparison is chosen, said on tiles and charts, and kept from page to page', async ({ page }) => {
  await open(page, '/?preset=7d');
  const tile = panel(page, 'Chats');
  await expect(tile).toContainText('the week before');
  await page.getByLabel('Compare with').selectOption('year');
  await expect(page).toHaveURL(/compare=year/);
  await settled(page);
  await expect(tile).not.toContainText('the week before');
  await page.getByLabel('Compare with').selectOption('none');
  await expect(page).toHaveURL(/compare=none/);
  await settled(page);
  await expect(tile.locator('.change')).toHaveCount(0);
  await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
  await expect(page).toHaveURL(/\/queue\?.*compare=none/);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/compare=year/);
});

test('the target of the service level is the reader’s', async ({ page }) => {
  await open(page, '/queue?preset=7d');
  const shown = panel(page, 'Service level');
  await expect(shown).toContainText('In time means within 30 s.');
  await page.getByLabel('Answered within').fill('120');
  await page.getByLabel('Answered within').press('Enter');
  await expect(page).toHaveURL(/target=120/);
  await expect(shown).toContainText('In time means within 2 m.');
  await expect(page.getByLabel('Answered within')).toHaveValue('120');
});

test('an account, a comparison and a target that are none are told', async ({ page }) => {
  await open(page, '/queue?account=nobody&compare=decade&target=soon');
  for (const text of ['nobody', 'decade', 'soon'])
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
});
