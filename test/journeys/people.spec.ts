// Agents, their own pages, transcripts, the catalogue, and what the overview says of today and of changes.
import { expect, type Page } from '@playwright/test';
import { partOf } from '../whole.ts';
import { expectAccessible } from './accessible.ts';
import { awake, open, panel, settled, testOnKeptPage as test } from './product.ts';

test.describe.configure({ mode: 'parallel' });

const names = (page: Page) => page.getByRole('region', { name: 'Agents' }).getByRole('rowheader');

test('agents are sorted by any column, found by name, and lead to receipts and their own pages', async ({
  page,
  complaints,
}) => {
  await open(page, '/agents?preset=7d');
  await expectAccessible(page);
  const before = await names(page).allTextContents();
  expect(before.length).toBeGreaterThan(3);
  await page.getByRole('columnheader', { name: 'Agent', exact: true }).getByRole('link').click();
  await expect(page).toHaveURL(/sort=name&order=asc/);
  expect(await names(page).allTextContents()).toEqual([...before].sort(new Intl.Collator('en-GB').compare));
  await page.goBack();
  const someone = before[0] ?? '';
  await page.getByPlaceholder('Name of an agent').fill(someone.toLowerCase());
  await expect(names(page)).toHaveText([someone]);
  await page.getByRole('region', { name: 'Agents' }).getByRole('cell').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/receipt\/chat_ratings\?.*at\.agent=/);
  await expect(page.getByText('It adds up')).toBeVisible();
  await page.getByLabel('Where you came from').getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('link', { name: someone, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(someone);
  await settled(page);
  await expect(panel(page, 'Chats over time').locator('svg').first()).toBeVisible();
  await expect(page.locator('#chats-tile')).toContainText(/colleagues \d+ to \d+, median \d+/);
  await expect(panel(page, 'Time to the first response')).toContainText('colleagues lie between');
  await expect(page.getByRole('heading', { name: 'Latest chats' })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('agents stand beside what was expected of them, in words and on a funnel plot, and nobody is ranked', async ({
  page,
  complaints,
}) => {
  await open(page, '/agents?preset=30d');
  const part = page.locator('#expected');
  await expect(part.locator('.drawing svg')).toBeVisible();
  await expect(part.locator('.summary')).toContainText(/told apart|what was expected/);
  const words = await names(page)
    .locator('..')
    .locator('td')
    .filter({ hasText: /^(above|below|cannot be|too few)/ })
    .count();
  expect(words).toBeGreaterThan(3);
  await part.getByText('First response', { exact: true }).click();
  await expect(part.locator('.summary')).toContainText('geometric means');
  await part.getByText('What was taken into account').click();
  await expect(part).toContainText('no own speed, no tags');
  await expectAccessible(page, '#expected');
  await part.locator('summary').first().click();
  await part.getByRole('cell').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/receipt\/first_response_time\?.*at\.agent=/);
  expect(complaints).toEqual([]);
});

test('columns of agents are chosen without scripts too', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/agents?col=csat&col=rated&sort=csat&order=asc');
  await expect(page.getByRole('columnheader')).toHaveCount(4);
  await expect(page.getByRole('columnheader', { name: 'CSAT' })).toHaveAttribute('aria-sort', 'ascending');
  await context.close();
});

test('200 agents with long and right-to-left names keep their table in order', async ({ page, complaints }) => {
  const long = (index: number) =>
    `${index % 3 ? 'Wolfeschlegelsteinhausenbergerdorff the ' : 'محمد عبد الرحمن السيد '}${String(index).padStart(3, '0')} ${'x'.repeat(36)}`;
  await page.route('**/api/metrics/*split=agent*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { rows: Record<string, unknown>[] };
    const row = answer.rows[0];
    if (row) answer.rows = Array.from({ length: 200 }, (_, index) => ({ ...row, agent: long(index) }));
    await route.fulfill({ json: answer });
  });
  await awake(page, () => open(page, '/catalogue'));
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await expect.poll(async () => names(page).count()).toBeGreaterThan(199);
  const tall = await names(page).evaluateAll((all) => Math.max(...all.map((it) => it.clientHeight)));
  expect(tall).toBeLessThan(48);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(complaints).toEqual([]);
});

test('transcripts are searched by words, and the chat opens at the line', async ({ page, complaints }) => {
  await open(page, '/transcripts');
  await page.getByPlaceholder('Words in messages').fill('refund');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/query=refund/);
  await expect(page.locator('mark').first()).toHaveText(/refund/i);
  await expectAccessible(page);
  await page.locator('main ol').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/chat\/.+#line-\d+$/);
  await page.getByLabel('Where you came from').getByRole('link', { name: 'Transcripts' }).click();
  await expect(page.getByPlaceholder('Words in messages')).toHaveValue('refund');
  await page.locator('select[name="rate"]').selectOption('rated_bad');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.locator('.rate').first()).toHaveText('bad');
  await page.getByLabel('Filters').locator('summary').first().click();
  await page.getByRole('link', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/preset=7d&query=refund&rate=rated_bad/);
  expect(complaints).toEqual([]);
});

test('comments that cannot be loaded are not left out without a word', async ({ page, complaints }) => {
  await open(page, '/queue');
  await page.route('**/api/chats?*', (route) => route.fulfill({ contentType: 'text/html', body: 'a proxy' }));
  await page.getByRole('link', { name: 'Ratings', exact: true }).first().click();
  const comments = page.getByRole('region', { name: 'What visitors wrote after their chats' });
  await expect(comments.getByRole('alert')).toHaveText(
    'The comments could not be loaded. The server gave no usable answer (200).',
  );
  await page.unrouteAll();
  await page.reload();
  await expect(comments.getByRole('listitem').first()).toBeVisible();
  await expect(comments.getByRole('alert')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('comments are what visitors wrote, not what they chose from a list', async ({ page }) => {
  await open(page, '/ratings');
  const comments = page.getByRole('region', { name: 'What visitors wrote after their chats' });
  await expect(comments.getByText('Anything you would like to add?').first()).toBeVisible();
  await expect(comments.getByText('How would you rate')).toHaveCount(0);
  await comments.getByRole('link', { name: 'All chats with a comment' }).click();
  await expect(page).toHaveURL(/survey=comment/);
  await expect(page.locator('select[name="survey"]')).toHaveValue('comment');
  await page.locator('select[name="survey"]').selectOption('post');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/survey=post/);
  await expect(page.getByText('How would you rate').first()).toBeVisible();
});

test('every metric of the catalogue has a receipt, and it says what one means, where it is shown, and leads to its SQL', async ({
  page,
  complaints,
}) => {
  await open(page, '/catalogue');
  await expectAccessible(page);
  await expectReceipts(page);
  await page.getByPlaceholder('Search metrics').fill('waiting');
  const metric = page.getByRole('region', { name: 'Waiting times', exact: true });
  await expect(metric.getByText('version 1')).toBeVisible();
  await expect(metric.getByRole('link', { name: 'Queue' })).toBeVisible();
  await metric.getByRole('link', { name: /exact SQL/ }).click();
  await expect(page.getByRole('region', { name: 'The exact SQL' })).toContainText('select');
  expect(complaints).toEqual([]);
});

async function expectReceipts(page: Page): Promise<void> {
  const links = page.getByRole('link', { name: /exact SQL/ });
  const addresses = await links.evaluateAll((all) => all.map((it) => (it as HTMLAnchorElement).href));
  expect(addresses.length).toBeGreaterThan(20);
  for (const address of addresses) {
    const { pathname, search } = new URL(address);
    const answer = await page.request.get(
      `/api/receipts/${pathname.split('/').pop()}${search.replace(/&?back=[^&]*/, '')}`,
    );
    // Business hours are not set here: what is counted in them is refused, and says where to set them.
    const isRefused = pathname.endsWith('_business');
    expect([pathname, answer.status()]).toEqual([pathname, isRefused ? 400 : 200]);
    if (isRefused) expect(await answer.text()).toContain('usiness hours');
  }
}

const changes = [
  ['/', 'Chats:', 'total_chats'],
  ['/ratings', 'CSAT:', 'chat_ratings'],
  ['/responses', 'Mean first response:', 'first_response_time'],
  ['/queue', 'Mean wait in the queue:', 'waiting_times'],
] as const;

// Every other page; with the drill all.
for (const [address, says, metric] of partOf(changes, 2))
  test(`${address} says what changed most, and by which group, agent, tag and hour`, async ({ page, complaints }) => {
    await open(page, `${address}?preset=7d`);
    const shown = panel(page, 'What changed most');
    await expect(shown.locator('.summary')).toContainText(says);
    await expect(shown.getByRole('heading', { level: 3 })).toHaveText(['By group', 'By agent', 'By tag', 'By hour']);
    await shown.locator('details > summary', { hasText: 'Table' }).click();
    await shown.getByRole('row').nth(2).getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`/receipt/${metric}\\?.*at\\.group=`));
    expect(complaints).toEqual([]);
  });

test('today so far stands beside the same weekday a week ago', async ({ page }) => {
  const today = page.getByRole('region', { name: /^Today so far/ });
  await open(page, '/?preset=yesterday');
  await expect(page).toHaveTitle('Overview: Yesterday · Chatledger');
  await expect(page.getByRole('heading', { name: 'Chats over time' })).toBeVisible();
  await expect(today).toHaveCount(0);
  await open(page, '/');
  await expect(today.getByText(/ up to \d\d:\d\d: \d/).first()).toBeVisible();
  await expect(page).toHaveTitle('Overview: Last 30 days · Chatledger');
  await today.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/receipt\/total_chats\?from=(\d{4}-\d\d-\d\d)&to=\1/);
});

for (const address of ['/', '/agents'])
  test(`${address} says of dates that begin before its numbers where they begin`, async ({ page }) => {
    const to = new Date().toISOString().slice(0, 10);
    await open(page, `${address}?from=2015-01-01&to=${to}`);
    await expect(
      page.getByText(/^There are numbers from .* on; earlier days of the range are left out\./),
    ).toBeVisible();
    await open(page, `${address}?from=${to}&to=${to}`);
    await expect(page.getByText('earlier days of the range are left out')).toHaveCount(0);
  });

test('the menu shows the entry of the page on screen, and the page itself stays where it is', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  const menu = page.getByRole('banner').getByRole('navigation', { name: 'Pages' }).first();
  await open(page, '/digests?preset=7d');
  await expect(menu.getByRole('link', { name: 'Scheduled reports' })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  // An entry that is seen already leaves the menu as it is.
  const scrolled = () => menu.evaluate((it) => it.scrollTop);
  const before = await scrolled();
  await menu.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  expect(await scrolled()).toBe(before);
  await page.getByRole('link', { name: 'Chatledger' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
  await expect(menu.getByRole('link', { name: 'Overview' })).toBeInViewport({ ratio: 1 });
});

test('a narrow screen has the most used pages below and all of them in a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/?preset=7d');
  await page.getByText('More', { exact: true }).click();
  // Pressed where it is drawn: the filters of the page do not cover the sheet.
  const sheet = page.getByRole('group', { name: 'All pages' });
  const covered = await sheet.getByRole('link').evaluateAll((links) =>
    links
      .filter((it) => {
        const { left, top, bottom } = it.getBoundingClientRect();
        const at = document.elementFromPoint(left + 20, (top + bottom) / 2);
        return at !== null && !it.contains(at) && !at.closest('.bar > a, summary');
      })
      .map((it) => it.textContent),
  );
  expect(covered).toEqual([]);
  await sheet.getByRole('link', { name: 'Greetings' }).click();
  await expect(page).toHaveURL(/\/greetings\?preset=7d/);
  await expect(page.getByRole('group', { name: 'All pages' })).toBeHidden();
});

for (const width of [1440, 390])
  test(`the ring of a tile with the focus stands beside its text, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, '/');
    await page.locator('.tiles .whole').first().focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const gap = await page.locator('.tiles .whole:focus-visible').evaluate((link) => {
      // The ring lies within the box: its inner edge is as far from the box as it is wide.
      const { left, outlineOffset } = getComputedStyle(link, '::after');
      const tile = link.closest('section')?.getBoundingClientRect().left ?? 0;
      return link.getBoundingClientRect().left - (tile + Number.parseFloat(left) - Number.parseFloat(outlineOffset));
    });
    expect(gap).toBeGreaterThanOrEqual(2);
  });
