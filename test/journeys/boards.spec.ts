// Boards: made from a panel, filled, put in order, shown on a TV, as PDF and as a link; with the keyboard alone where it counts.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, panel, settled, testOnKeptPage as test } from './product.ts';

test.describe.configure({ mode: 'serial' });

let address = '';

test('a board is made from the menu of a panel, and the next panel finds it', async ({ page, complaints }) => {
  await open(page, '/queue?preset=7d');
  const first = panel(page, 'Abandonment');
  await first.locator('.menu summary').click();
  await first.getByRole('button', { name: 'Add to a board' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a board' });
  await dialog.getByRole('textbox', { name: 'Name of the new board' }).fill('   ');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Name: must not be empty');
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  await dialog.getByRole('textbox', { name: 'Name of the new board' }).fill('Monday <b>morning</b>');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('“Abandonment” is on “Monday <b>morning</b>”.')).toBeVisible();
  await expectAccessible(page, 'dialog');
  await page.keyboard.press('Escape');
  // It is in the menu at once.
  await expect(page.getByRole('list', { name: 'Your boards and saved views' }).first()).toContainText('Monday');

  await page.goto('/?preset=7d');
  await settled(page);
  const second = panel(page, 'Satisfaction (CSAT)');
  await second.hover();
  await second.locator('.menu summary').click();
  await second.getByRole('button', { name: 'Add to a board' }).click();
  await dialog.getByRole('button', { name: 'Add to Monday <b>morning</b>' }).click();
  await dialog.getByRole('link', { name: 'Open the board' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Monday <b>morning</b>' })).toBeVisible();
  await settled(page);
  await expect(page.getByRole('region').getByRole('heading', { level: 2 })).toHaveText([
    'Abandonment',
    'Satisfaction (CSAT)',
  ]);
  address = new URL(page.url()).pathname;
  expect(complaints).toEqual([]);
});

test('it is put in order, sized, named and mended with the keyboard alone', async ({ page, complaints }) => {
  await open(page, `${address}?preset=7d`);
  const titles = page.locator('main > :is(.tiles, .panels)').getByRole('heading', { level: 2 });
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('region', { name: 'Edit this board' });
  const status = editor.getByRole('status');
  await editor.getByRole('combobox', { name: 'Add a panel' }).focus();
  await editor.getByRole('combobox', { name: 'Add a panel' }).selectOption({ label: 'Queue by group' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(status).toContainText('“Queue by group” stands at the end.');
  await editor.getByRole('button', { name: 'Move up: Queue by group' }).focus();
  await page.keyboard.press('Enter');
  await expect(status).toContainText('“Queue by group” is 2 of 3 now.');
  await expect(editor.getByRole('button', { name: 'Move up: Queue by group' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(status).toContainText('“Queue by group” is 1 of 3 now.');
  await expect(editor.getByRole('button', { name: 'Move down: Queue by group' })).toBeFocused();
  await expect(titles).toHaveText(['Queue by group', 'Abandonment', 'Satisfaction (CSAT)']);

  await editor.getByRole('combobox', { name: 'Size: Abandonment' }).selectOption('tile');
  await editor.getByRole('textbox', { name: 'Title here: Abandonment' }).fill('Who gave up');
  await page.keyboard.press('Enter');
  await expect(titles).toHaveText(['Queue by group', 'Who gave up', 'Satisfaction (CSAT)']);
  await expect(page.locator('.tiles').getByRole('region', { name: 'Who gave up' })).toContainText('%');

  await editor.getByRole('button', { name: 'Remove: Queue by group' }).focus();
  await page.keyboard.press('Enter');
  await expect(titles).toHaveCount(2);
  await expect(editor.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(titles).toHaveText(['Queue by group', 'Who gave up', 'Satisfaction (CSAT)']);

  // By hand: the last row before the first.
  await editor.getByRole('listitem').last().locator('.grip').dragTo(editor.getByRole('listitem').first());
  await expect(titles).toHaveText(['Satisfaction (CSAT)', 'Queue by group', 'Who gave up']);
  await expectAccessible(page);
  await editor.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await settled(page);
  await expect(titles).toHaveText(['Satisfaction (CSAT)', 'Queue by group', 'Who gave up']);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, `${address}?preset=28d#edit`);
  await expect(editor).toBeVisible();
  await expectFits(page);
  expect(complaints).toEqual([]);
});

test('two people edit it: who comes second is told, loads it, and goes on with the keyboard', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  for (const each of [page, other]) await open(each, `${address}?preset=7d#edit`);
  const [mine, theirs] = [page, other].map((each) => each.getByRole('region', { name: 'Edit this board' }));
  if (!mine || !theirs) throw new Error('there are two');
  await mine.getByRole('textbox', { name: 'Name' }).fill('  Monday <b>morning</b>, early ');
  await page.keyboard.press('Enter');
  await expect(mine.getByRole('status')).toHaveText('It is called “Monday <b>morning</b>, early” now.');
  await expect(mine.getByRole('textbox', { name: 'Name' })).toHaveValue('Monday <b>morning</b>, early');
  await theirs.getByRole('button', { name: 'Move up: Who gave up' }).click();
  await expect(theirs.getByRole('alert')).toContainText('somebody has changed this board meanwhile');
  await theirs.getByRole('button', { name: 'Load it again' }).focus();
  await other.keyboard.press('Enter');
  await expect(theirs.getByRole('textbox', { name: 'Name' })).toHaveValue('Monday <b>morning</b>, early');
  await expect.poll(() => theirs.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await theirs.getByRole('textbox', { name: 'Name' }).fill('Monday <b>morning</b>');
  await other.keyboard.press('Enter');
  await expect(theirs.getByRole('status')).toHaveText('It is called “Monday <b>morning</b>” now.');
  await other.close();
});

test('it is a page: filters hold for it, every number leads to its receipt, it needs no scripts, and goes onto a TV and into a PDF', async ({
  page,
  browser,
}) => {
  await open(page, `${address}?preset=7d`);
  await page.getByRole('link', { name: 'Satisfaction (CSAT)', exact: true }).click();
  await expect(page).toHaveURL(/\/receipt\/chat_ratings\?/);
  await page.getByRole('navigation', { name: 'Where you came from' }).getByRole('link', { name: 'Board' }).click();
  await expect(page).toHaveURL(new RegExp(`${address}\\?preset=7d$`));
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(new URL(`${address}?preset=7d`, page.url()).href);
  await expect(plain.getByRole('region', { name: 'Satisfaction (CSAT)' })).toContainText('%');
  await expect(plain.getByRole('heading', { level: 1 })).toContainText('Monday');
  await plain.context().close();
  await expectTvAndPdf(page);
});

async function expectTvAndPdf(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'TV mode' }).click();
  await expect(page).toHaveURL(/\/tv\?preset=7d&board=[\w-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Monday');
  await expect(page.getByText('1 of 3')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`${address}\\?preset=7d$`));
  const pdf = await page.request.get((await page.getByRole('link', { name: /as PDF/ }).getAttribute('href')) ?? '');
  expect([pdf.status(), pdf.headers()['content-type'], (await pdf.body()).subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ]);
}

test('anybody makes a copy of it with the keyboard, which has the same panels and is private', async ({
  page,
  complaints,
}) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const boardAt = async (path: string) => {
    const found = await page.request.get(`/api${path.replace('/board/', '/boards/')}`);
    return (await found.json()) as { id: string; title: string; is_shared: boolean; panels: unknown[] };
  };
  const titles = page.locator('main > :is(.tiles, .panels)').getByRole('heading', { level: 2 });
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, `${address}?preset=7d`);
  const before = await boardAt(address);
  const panels = await titles.allTextContents();
  for (const title of ['Monday <b>morning</b> (copy)', 'Monday <b>morning</b> (copy 2)']) {
    await open(page, `${address}?preset=7d`);
    await page.getByRole('button', { name: 'Copy link' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Make a copy' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page).toHaveURL(/\?preset=7d$/);
    await expect(page.getByRole('status').filter({ hasText: 'This is your copy.' })).toBeVisible();
    await settled(page);
    await expect(titles).toHaveText(panels);
    await expectFits(page);
    const made = await boardAt(new URL(page.url()).pathname);
    expect(made).toMatchObject({ title, is_shared: false, panels: before.panels });
    expect(made.id).not.toBe(before.id);
  }
  await expectAccessible(page);
  const { boards } = (await (await page.request.get('/api/boards')).json()) as { boards: (typeof before)[] };
  for (const { id, title } of boards)
    if (title.includes('(copy')) await page.request.delete(`/api/boards/${id}`, { headers });
  expect(complaints).toEqual([]);
});

test('a long name takes no room from the menu, nor from what a TV says beside it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const title = 'Morning board with a rather long name, for the whole of the support floor';
  const panels = [{ panel: 'overview/volume', size: 'full' }];
  const made = await page.request.post('/api/boards', { headers, data: { title, panels } });
  const { id } = (await made.json()) as { id: string };
  try {
    await open(page, '/queue?preset=7d');
    const menu = page.getByRole('banner').getByRole('navigation', { name: 'Pages' }).first();
    await expect(menu.getByRole('link', { name: title })).toBeVisible();
    expect(await menu.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    await page.goto(`/tv?board=${id}`);
    const place = page.getByText('1 of 1', { exact: true });
    await expect(place).toBeVisible();
    // One line of it.
    const lines = () =>
      place.evaluate((it) => Math.round(it.getBoundingClientRect().height / parseFloat(getComputedStyle(it).fontSize)));
    expect(await lines()).toBe(1);
  } finally {
    await page.request.delete(`/api/boards/${id}`, { headers });
  }
});

test('a name of one long word fits on a telephone, and lets a TV say its dates', async ({ page }) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const title = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterung Vierwaldstättersee';
  const panels = [{ panel: 'overview/volume', size: 'full' }];
  const made = await page.request.post('/api/boards', { headers, data: { title, panels } });
  const { id } = (await made.json()) as { id: string };
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, `/board/${id}?preset=7d`);
    await expectFits(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/tv?board=${id}`);
    await expect(page.locator('header .dates')).toBeInViewport({ ratio: 1 });
  } finally {
    await page.request.delete(`/api/boards/${id}`, { headers });
  }
});

test('titles of one long word fit on a telephone', async ({ page }) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const title = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterung';
  const panels = [
    { panel: 'queue/abandonment', size: 'tile', title },
    { panel: 'overview/volume', size: 'full', title },
  ];
  const made = await page.request.post('/api/boards', { headers, data: { title: 'Long titles', panels } });
  const { id } = (await made.json()) as { id: string };
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, `/board/${id}?preset=7d`);
    await expectFits(page);
    for (const heading of await page.getByRole('heading', { level: 2, name: title }).all())
      expect(await heading.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  } finally {
    await page.request.delete(`/api/boards/${id}`, { headers });
  }
});

test('a saved query stands on it, runs as its reader, and says whose it is and what it is not', async ({
  page,
  baseURL,
  complaints,
}) => {
  const headers = { origin: new URL(baseURL ?? '').origin };
  const data = {
    name: 'Chats of each country',
    statement:
      'select country, count(distinct chat_id) as chats from facts.chats join facts.chat_groups using (account, chat_id) where $group is null or group_id = $group group by 1 order by 2 desc, 1',
    parameters: { group: null },
    chart: null,
    is_shared: true,
  };
  const made = await page.request.post('/api/sql/queries', { data, headers });
  expect(made.status(), await made.text()).toBe(200);
  const { id } = (await made.json()) as { id: string };
  await open(page, `${address}?preset=7d`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('region', { name: 'Edit this board' });
  await editor.getByRole('combobox', { name: 'Add a panel' }).focus();
  await editor.getByRole('combobox', { name: 'Add a panel' }).selectOption({ label: data.name });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('status')).toContainText(`“${data.name}” stands at the end.`);
  await open(page, `${address}?preset=7d`);
  const query = page.getByRole('region', { name: data.name, exact: true });
  await expect(query.getByText('By you, not a defined metric')).toBeVisible();
  await expect(query.getByText('Its own group: no value. Not narrowed by range.')).toBeVisible();
  const first = query.getByRole('row').nth(1);
  await expect(first).toContainText(/\d/);
  const ofAll = Number(await first.getByRole('cell').last().textContent());
  await open(page, `${address}?preset=7d&group=1`);
  await expect(query.getByText('Group of this page. Not narrowed by range.')).toBeVisible();
  await expect(first).toContainText(/\d/);
  expect(Number(await first.getByRole('cell').last().textContent())).toBeLessThan(ofAll);
  await expectAccessible(page);
  await query.getByRole('link', { name: 'Open in SQL' }).click();
  await expect(page).toHaveURL(/\/sql\?/);
  await page.goto(`/tv?preset=7d&board=${address.split('/').at(-1) ?? ''}&place=3`);
  await expect(page.getByText('Not on this screen: a saved query of the board.')).toBeVisible();
  await page.request.delete(`/api/sql/queries/${id}`, { headers });
  await open(page, `${address}?preset=7d`);
  await expect(query.getByText('This query was deleted, or is not shared any more.')).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor.getByRole('button', { name: `Remove: ${data.name}` }).click();
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('the palette finds it, the list says what boards there are, and it is removed', async ({ page, complaints }) => {
  await open(page, '/chats');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Page, date/ }).fill('new board');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name of the new board')).toBeFocused();
  // Pressed before the boards are there, Enter waits for them: until then another entry is the first.
  await page.route('**/api/boards*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Page, date/ }).fill('monday');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${address}$`));
  await page.unroute('**/api/boards*');
  await page.getByRole('link', { name: 'Boards', exact: true }).first().click();
  await expect(page.getByText('3 panels')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^In the menu/ }).click();
  await expect(page.getByRole('list', { name: 'Your boards and saved views' })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Monday <b>morning</b>' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove this board' }).click();
  await expect(page.getByText('There are no boards yet')).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'There is no such board, or you may not see it' })).toBeVisible();
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});
