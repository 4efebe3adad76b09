// Several accounts: the switch, what it keeps and what it leaves behind, and an account that gives nothing.
import { expect } from '@playwright/test';
import { chat, lines, staff } from '../livechat/service/tiny.ts';
import { expectAccessible } from './accessible.ts';
import { startSecond } from './second.ts';
import { awake, panel, settled, testOnKeptPage as test } from './product.ts';

const HOUR = 3_600_000;
const instant = (hoursAgo: number, minutes = 0) =>
  new Date(Date.now() - hoursAgo * HOUR + minutes * 60_000).toISOString();
const chats = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    chat(instant(30 + index), instant(30 + index, 10), {
      events: lines(instant(30 + index), 'v5', 'a20'),
      ratings: [{ at: Math.floor(Date.parse(instant(29 + index)) / 1000), rate: 'rated_good' }],
    }),
  );

let second: Awaited<ReturnType<typeof startSecond>>;
test.beforeAll(async () => {
  second = await startSecond([
    { id: 'north', staff, records: { chats: chats(7) } },
    { id: 'south', staff, records: { chats: chats(3) } },
    { id: 'broken' },
  ]);
});
test.afterAll(() => second.end());

/** What the field of the palette is called. */
const palette = 'Page, date, agent, group, metric, export, theme';

test('the switch shows the same page of another account; dates stay, groups do not, back comes back', async ({
  page,
  complaints,
}) => {
  await page.goto(`${second.url}/?preset=7d&group=1`);
  await settled(page);
  const shown = panel(page, 'Chats').locator('.figure').first();
  await expect(shown).toHaveText('7');
  const top = page.locator('.switch');
  await top.locator('summary').click();
  await expect(top.getByRole('link')).toHaveText(['north', 'south', 'broken']);
  await expect(top.getByRole('link', { name: 'north' })).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page, '.switch');
  await top.getByRole('link', { name: 'south' }).click();
  await expect(page).toHaveURL(/\/\?preset=7d&account=south$/);
  await settled(page);
  await expect(shown).toHaveText('3');
  await page.getByRole('link', { name: 'Ratings', exact: true }).first().click();
  await expect(page).toHaveURL(/\/ratings\?.*account=south/);
  await expect(panel(page, 'Rated good').locator('.figure')).toHaveText('3');
  await panel(page, 'Rated good').click();
  await expect(page).toHaveURL(/\/receipt\/chat_ratings\?.*account=south/);
  await expect(page.locator('.value')).toHaveText('3 chats');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/group=1/);
  await expect(shown).toHaveText('7');
  // A group narrows what has no groups as well; the refusal is said on the page.
  expect(complaints.filter((it) => !it.includes('400'))).toEqual([]);
});

test('an account is reached from the palette, and its link shows the same numbers to whoever opens it', async ({
  page,
  context,
}) => {
  await awake(page, () => page.goto(`${second.url}/queue`));
  await settled(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: palette });
  await field.fill('south');
  await expect(page.getByRole('option').filter({ hasText: 'south' }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/account=south/);
  const other = await context.newPage();
  await other.goto(`${second.url}/?account=south`);
  await expect(panel(other, 'Chats').locator('.figure').first()).toHaveText('3');
});

test('an account that cannot be reached says that nothing is pulled, and the others have their numbers', async ({
  page,
}) => {
  await page.goto(`${second.url}/chats?account=broken`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
  await settled(page);
  await expect(panel(page, 'Chats').locator('.figure').first()).not.toHaveText(/\d/);
  await expect(page.getByText('Nothing of these days has been pulled').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'How the pulls are doing' }).first()).toBeVisible();
});

test('the page Accounts has each account beside the others, and a number opens the same range of its account', async ({
  page,
  complaints,
}) => {
  await awake(page, () => page.goto(`${second.url}/queue?preset=7d`));
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: palette }).fill('accounts');
  await expect(page.getByRole('option').first()).toContainText('Accounts');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${second.url}/accounts?preset=7d`);
  await settled(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accounts');
  const table = page.getByRole('region', { name: 'Accounts' });
  const first = (name: string) => table.getByRole('row').filter({ hasText: name }).getByRole('cell').first();
  await expect(table.getByRole('rowheader')).toHaveText(['north', 'south', 'broken', 'All accounts']);
  await expect(first('north').getByRole('link')).toHaveText('7');
  await expect(first('south').getByRole('link')).toHaveText('3');
  await expect(first('broken').getByRole('link')).toHaveCount(0);
  await expect(first('All accounts')).toContainText('10');
  await expect(table.getByRole('columnheader', { name: 'Last pull' })).toBeVisible();
  // The account is too young to have anything before.
  await expect(page.getByText('Below each number')).toHaveCount(0);
  await expect(page.getByText('1 of 3 accounts has no data of these days: broken.')).toBeVisible();
  await expectAccessible(page);
  await table.getByRole('link', { name: /^Chats/ }).click();
  await expect(page).toHaveURL(/sort=chats&order=asc/);
  await expect(table.getByRole('rowheader')).toHaveText(['south', 'north', 'broken', 'All accounts']);
  await page.getByText('All accounts', { exact: true }).first().click();
  await page.getByRole('checkbox', { name: 'broken' }).uncheck();
  await page.getByRole('button', { name: 'Show these' }).click();
  await expect(page).toHaveURL(/among=north&among=south/);
  await expect(table.getByRole('rowheader')).toHaveText(['south', 'north', 'All accounts']);
  const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
  const file = await page.request.get(`${second.url}${href}`);
  const lines = (await file.text()).trim().split(/\r?\n/);
  expect(lines.map((line) => line.split(',').slice(0, 2).join(' ')).slice(1)).toEqual([
    'north 7',
    'south 3',
    'All accounts 10',
  ]);
  await first('All accounts').getByRole('link').click();
  await expect(page).toHaveURL(/\/receipt\/total_chats\?.*account=north&account=south/);
  await expect(page.locator('.value')).toHaveText('10 chats');
  await expect(page.getByText('It adds up', { exact: true })).toBeVisible();
  const chats = page.getByRole('region', { name: 'The chats behind it' });
  await expect(chats.getByRole('row').filter({ hasText: 'north' })).toHaveCount(7);
  await expect(chats.getByRole('row').filter({ hasText: 'south' })).toHaveCount(3);
  await expectAccessible(page);
  await chats.getByRole('row').filter({ hasText: 'south' }).first().getByRole('rowheader').getByRole('link').click();
  await expect(page).toHaveURL(/\/chat\/[^?]+\?account=south/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Chat with /);
  await page.goBack();
  await page.goBack();
  await first('south').getByRole('link').click();
  await expect(page).toHaveURL(/\/chats\?account=south&preset=7d&timezone=UTC$/);
  await settled(page);
  await expect(panel(page, 'Chats').locator('.figure').first()).toHaveText('3');
  expect(complaints).toEqual([]);
});
