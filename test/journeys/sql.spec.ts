// The SQL page: a statement is written with its completions, run, corrected where it is wrong, and its rows are taken away.
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, testOnKeptPage as test } from './product.ts';

test('a statement is run, mended where it is wrong, and its rows are a file', async ({ page, complaints }) => {
  await open(page, '/sql');
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  const result = page.getByRole('region', { name: 'Result' });
  await expect(page.locator('summary').filter({ hasText: 'facts.chats' }).first()).toBeVisible();
  // Nobody has written it, so nothing would be lost.
  await expect(page.getByRole('button', { name: 'chats by day', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(result.getByRole('columnheader', { name: 'day' })).toBeVisible();
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
  const taken = async (kind: string) => {
    const button = page.getByRole('button', { name: `Download all rows as ${kind}` });
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    await expect(button).toBeVisible();
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  expect((await taken('CSV')).bytes.toString()).toMatch(/^\ufeffn,formula\r\n\d+,'=1\+1\r\n$/);
  expect(JSON.parse((await taken('JSON')).bytes.toString())).toEqual([{ n: expect.any(String), formula: '=1+1' }]);
  const [columns, workbook] = [await taken('Parquet'), await taken('Excel')];
  expect([columns.name, columns.bytes.subarray(0, 4).toString()]).toEqual([
    expect.stringMatching(/^result-.*\.parquet$/),
    'PAR1',
  ]);
  expect([workbook.name, workbook.bytes.subarray(0, 2).toString()]).toEqual([
    expect.stringMatching(/^result-.*\.xlsx$/),
    'PK',
  ]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(editor).toContainText('formula');
  await expectFits(page);
  // All tables stand in a list of their own, which does not make the page longer.
  const tables = await page.getByRole('complementary', { name: 'Tables and columns' }).boundingBox();
  expect(tables?.height).toBeLessThan(844);
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
});

test('a query is run and stopped with the keyboard alone', async ({ page, complaints }) => {
  await open(page, '/sql');
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  // What may be completed is offered until the query runs.
  await editor.fill('select count(*) as n from facts.');
  await page.keyboard.type('chat');
  const completions = page.getByRole('listbox', { name: 'Completions' });
  await expect(completions).toBeVisible();
  await page.keyboard.type('s');
  await expect(completions).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('columnheader', { name: 'n' })).toBeVisible();
  await expect(completions).toHaveCount(0);
  await editor.fill('select count(*) as n from range(100000000000) a, range(100000) b where a.range + b.range = 7');
  await page.keyboard.press('Escape');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(run).toBeFocused();
  expect(complaints).toEqual([]);
});

test('a result is drawn as its columns suggest, otherwise as chosen, and stays so over a reload', async ({
  page,
  complaints,
}) => {
  await open(page, '/sql');
  await page.getByRole('button', { name: 'New query' }).click();
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  await editor.fill(
    "select started_at::date as day, rate, count(*) as chats, count(*) filter (where rate = 'rated_good') as good from facts.chats group by all",
  );
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Chart' }).click();
  await expect(page.getByRole('img', { name: 'chats by day' }).locator('svg')).toBeVisible();
  await expect(page.getByLabel('Split by')).toHaveValue('rate');
  await page.getByLabel('Drawn as').selectOption('Bars');
  await page.getByRole('checkbox', { name: 'good' }).check();
  await page.getByLabel('Split by').selectOption('Nothing');
  await expect(page.getByRole('img', { name: 'chats, good by day' }).locator('svg')).toBeVisible();
  await expect(page.getByText('an earlier row has the same place')).toBeVisible();
  // The rows stay for those who do not see it.
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('columnheader', { name: 'rate' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(editor).toContainText('rated_good');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('img', { name: 'chats, good by day' }).locator('svg')).toBeVisible();
  await expectFits(page);
  expect(complaints).toEqual([]);
});

test('the plan of a query is shown without running it; named parameters are typed into fields, and one without a value is named', async ({
  page,
  complaints,
}) => {
  await open(page, '/sql');
  await page.getByRole('button', { name: 'New query' }).click();
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  // Statistics of the table alone cannot answer it, as they can a bare count.
  await editor.fill('select count(distinct visitor_id) as n\nfrom facts.chats where started_at >= $from');
  await page.getByLabel('$from').fill('2000-01-01');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('listitem').first()).toContainText('Aggregate');
  await expect(plan.getByRole('listitem').last()).toContainText(/Sequential scan\s*about [\d,]+ rows/);
  await expect(plan).toContainText('facts.chats');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'n', exact: true })).toBeVisible();
  await expect(plan).toHaveCount(0);
  await editor.fill('select count(*) as n\nfrom nowhere');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Line 2, column 6:');
  await expectParameters(page);
  // What the refusals leave in the console.
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
});

test('a receipt hands over the statement of its number, which is asked as of an earlier snapshot too', async ({
  page,
}) => {
  await open(page, '/receipt/total_chats?grain=total&measure=chats');
  await page.getByRole('button', { name: 'Open in SQL' }).click();
  await expect(page.getByRole('textbox', { name: 'Query', exact: true })).toContainText('facts.chats');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('columnheader', { name: 'chats' })).toBeVisible();
  await expectEarlier(page);
});

test('queries are open beside each other over a reload, saved under a name, opened by their link and removed', async ({
  page,
  complaints,
}) => {
  await open(page, '/sql');
  const editor = page.getByRole('textbox', { name: 'Query', exact: true });
  const openQueries = page.getByRole('list', { name: 'Open queries' });
  await page.getByRole('button', { name: 'New query' }).click();
  await editor.fill('select 41 + 1 as answer');
  await expect(openQueries.getByRole('button', { name: 'Query 2, not saved' })).toHaveAttribute('aria-current', 'true');
  await page.reload();
  await expect(editor).toContainText('41 + 1');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('The answer');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\?query=/);
  await expect(openQueries.getByRole('button', { name: 'The answer', exact: true })).toBeVisible();
  const link = page.url();
  await openQueries.getByRole('button', { name: 'Close The answer' }).click();
  await expect(editor).not.toContainText('41 + 1');
  await page.goto(link);
  await expect(editor).toContainText('41 + 1');

  // How it is drawn is saved with it, and the link opens it like that elsewhere.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toBeDisabled();
  await editor.fill("select 'a' as name, 41 + 1 as answer, 7 as other");
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Chart' }).click();
  await page.getByRole('checkbox', { name: 'other' }).check();
  await save.click();
  await expect(page.getByText('“The answer” is saved.')).toBeVisible();
  await expect(save).toBeDisabled();
  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await expect(editor).toContainText('as other');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('img', { name: 'answer, other by name' }).locator('svg')).toBeVisible();
  await page.getByRole('button', { name: 'Chart' }).click();
  await expect(save).toBeEnabled();

  await page.getByRole('button', { name: 'Name and sharing' }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove this query' }).click();
  await expect(page.getByText('its text is still open here')).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Saved queries' }).click();
  await expect(page.getByText('Nothing is saved yet.')).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  expect(complaints).toEqual([]);
});

async function expectParameters(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New query' }).click();
  await page
    .getByRole('textbox', { name: 'Query', exact: true })
    .fill('select count(*) as n from facts.chats where started_at >= $from and ($group is null or $group = $group)');
  const colourOf = (text: string): Promise<string> =>
    page
      .locator('.cm-content span')
      .filter({ hasText: new RegExp(`^${text}$`) })
      .evaluate((it) => getComputedStyle(it).color);
  expect(await colourOf('\\$from')).not.toBe(await colourOf('where'));
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toContainText('the parameters $from, $group must have a value');
  await expect(page.getByLabel('$from')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('$from').fill('2000-01-01');
  await page.getByLabel('$group').selectOption({ label: 'No value (null)' });
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('region', { name: 'Result' }).getByRole('cell')).toHaveText(/^[1-9]\d*$/);
  await expectAccessible(page);
}

/** The result says so. */
async function expectEarlier(page: Page): Promise<void> {
  const snapshots = page.getByLabel('As of', { exact: true });
  const earliest = (await snapshots.getByRole('option').last().textContent()) ?? '';
  await snapshots.selectOption({ label: earliest });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(`${earliest}.`, { exact: false })).toBeVisible();
  await snapshots.selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(`${earliest}.`, { exact: false })).toBeHidden();
}
