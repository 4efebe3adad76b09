// The SQL page: a statement is written with its completions, run, corrected where it is wrong, and its rows are taken away.
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, test } from './product.ts';

test('a statement is run, mended where it is wrong, and its rows are a file', async ({ page, complaints }) => {
  await open(page, '/sql');
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  const result = page.getByRole('region', { name: 'Result' });
  await expect(page.locator('summary').filter({ hasText: 'facts.chats' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(result.getByRole('columnheader', { name: 'week' })).toBeVisible();
  await expectAccessible(page);

  await editor.fill('select count(*) as n,\n  nothing_here\nfrom facts.chats');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toContainText('Line 2, column 3:');
  // What is wrong is selected, so that it is written over.
  await page.keyboard.type("'=1+1' as formula");
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await expect(result.getByRole('columnheader', { name: 'formula' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^\ufeffn,formula\r\n\d+,'=1\+1\r\n$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(editor).toContainText('formula');
  await expectFits(page);
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
});

test('a receipt hands over the statement of its number', async ({ page }) => {
  await open(page, '/receipt/total_chats?grain=total&measure=chats');
  await page.getByRole('button', { name: 'Open in SQL' }).click();
  await expect(page.getByRole('textbox', { name: 'Query', exact: true })).toContainText('facts.chats');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('columnheader', { name: 'chats' })).toBeVisible();
});
