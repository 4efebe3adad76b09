// A page is shared, opened by somebody who has not signed in, embedded in a page of another origin, and revoked.
import { createServer, type Server } from 'node:http';
import { expect, type Browser } from '@playwright/test';
import { chat, lines, staff } from '../livechat/service/tiny.ts';
import { freePort } from '../ports.ts';
import { expectAccessible } from './accessible.ts';
import { settled, testOnKeptPage as test } from './product.ts';
import { startSecond } from './second.ts';

const HOUR = 3_600_000;
const instant = (hoursAgo: number, minutes = 0) =>
  new Date(Date.now() - hoursAgo * HOUR + minutes * 60_000).toISOString();
const chats = Array.from({ length: 4 }, (_, index) =>
  chat(instant(30 + index), instant(30 + index, 10), { events: lines(instant(30 + index), 'v5', 'a20') }),
);
const password = 'correct horse battery staple';

let own: Awaited<ReturnType<typeof startSecond>>;
let intranet: Server;
let named = '';
let embedded = '';
test.beforeAll(async () => {
  const port = await freePort();
  named = `http://localhost:${port}`;
  intranet = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(embedded)).listen(port);
  own = await startSecond([{ id: 'default', staff, records: { chats } }], {
    CHATLEDGER_SHARING: 'on',
    CHATLEDGER_EMBED_ORIGINS: named,
  });
});
test.afterAll(async () => {
  intranet.close();
  await own.end();
});
test.describe.configure({ mode: 'serial' });

let link = '';

const fresh = async (browser: Browser) => (await browser.newContext({ locale: 'en-GB' })).newPage();

test('a manager shares a page with its filters, and the link is shown once', async ({ page, complaints }) => {
  await page.goto(`${own.url}/let-others-in`);
  await page.getByLabel('Name', { exact: true }).fill('Olga Owner');
  await page.getByLabel('E-mail address').fill('olga@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make the first admin' }).click();
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
  const status = await page.evaluate(async () => {
    const target = { kind: 'satisfaction', group: null, valid_from: '2026-01-01', share: 0.85 };
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/api/targets', { method: 'PUT', headers, body: JSON.stringify(target) })).status;
  });
  expect(status).toBe(200);
  await page.goto(`${own.url}/?preset=7d`);
  await settled(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this page' });
  await dialog.getByLabel('Title').fill('For the board');
  await expectAccessible(page, 'dialog');
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  link = (await dialog.locator('code').first().textContent()) ?? '';
  embedded = (await dialog.locator('code').last().textContent()) ?? '';
  expect(link).toMatch(/\/share#cs_[\w-]{43}$/);
  expect(complaints).toEqual([]);
});

test('whoever has it sees the page without signing in, and nothing leads elsewhere', async ({ browser }) => {
  const page = await fresh(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url() + JSON.stringify(request.headers()['referer'] ?? '')));
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'For the board' })).toBeVisible();
  await expect(page.getByText('Last 7 days')).toBeVisible();
  await expect(page.getByText('Shared by Olga Owner until')).toBeVisible();
  await settled(page);
  await expect(page.getByRole('region', { name: 'Chats over time' }).locator('svg').first()).toBeVisible();
  await expect(page.locator('#csat-tile')).toContainText('Target at least 85%');
  await expect(page.locator('a, nav, main button')).toHaveCount(0);
  await expectAccessible(page);
  // No request names the key in its address, and there is nothing to remember.
  expect(asked.filter((one) => one.includes('cs_'))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await page.goto(`${own.url}/`))?.url()).toContain('/sign-in');
  await page.context().close();
});

test('a page of a named origin embeds it, and one of another does not', async ({ browser }) => {
  const page = await fresh(browser);
  await page.goto(named);
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText('For the board');
  await page.goto(named.replace('localhost', '127.0.0.1'));
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'For the board' })).toHaveCount(0);
  await page.context().close();
});

test('revoked on the profile, it opens nothing', async ({ page, browser }) => {
  const other = await fresh(browser);
  await other.goto(link);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('For the board');
  await page.goto(`${own.url}/sign-in?to=/profile`);
  await page.getByLabel('E-mail address').fill('olga@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // Known to the minute, and said so.
  await expect(page.getByText('last opened')).toHaveText(/last opened\s+\w+, \d+ \w+ \d{4}, \d\d:\d\d\s*$/);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: /^Revoke ?: For the board/ }).click();
  await expect(page.getByText('Nothing is shared.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('This link opens nothing');
  await expect(other.getByText('the link is wrong, revoked or expired')).toBeVisible();
  await expectAccessible(other);
  await other.context().close();
});
