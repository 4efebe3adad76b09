// Letting others in: the first admin, a viewer of one group, what each finds, and the way out; in a product of its own.
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { chat, lines, staff } from '../livechat/service/tiny.ts';
import { expectAccessible } from './accessible.ts';
import { startSecond } from './second.ts';
import { settled, testOnKeptPage as test } from './product.ts';

const HOUR = 3_600_000;
const instant = (hoursAgo: number, minutes = 0) =>
  new Date(Date.now() - hoursAgo * HOUR + minutes * 60_000).toISOString();
const chats = Array.from({ length: 4 }, (_, index) =>
  chat(instant(30 + index), instant(30 + index, 10), { events: lines(instant(30 + index), 'v5', 'a20') }),
);
const password = 'correct horse battery staple';

let own: Awaited<ReturnType<typeof startSecond>>;
test.beforeAll(async () => {
  own = await startSecond([{ id: 'default', staff, records: { chats } }]);
});
test.afterAll(() => own.end());
test.describe.configure({ mode: 'serial' });

/** Told once. */
let viewerPassword = '';

/** The admin, where the form is not what a journey is about. */
async function admit(page: Page): Promise<void> {
  const data = { email: 'olga@example.com', password };
  expect((await page.request.post(`${own.url}/api/sign-in`, { data })).status()).toBe(200);
}

async function signIn(page: Page, email: string, secret: string) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('the owner of the machine lets others in, and is asked to sign in from then on', async ({ page, complaints }) => {
  await page.goto(`${own.url}/`);
  await settled(page);
  await page.getByRole('link', { name: 'Let others in' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Olga Owner');
  await page.getByLabel('E-mail address').fill('olga@example.com');
  await page.getByLabel('Password').fill('olga@example.com');
  await page.getByRole('button', { name: 'Make the first admin' }).click();
  await expect(page.getByRole('alert')).toContainText('password');
  await expectAccessible(page, 'main');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make the first admin' }).click();
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Olga Owner' })).toBeVisible();

  await page.getByRole('button', { name: 'Let somebody in' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Vera Viewer');
  await page.getByLabel('E-mail address').fill('vera@example.com');
  await page.getByLabel('All operators').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Let somebody in' }).click();
  await expect(page.getByRole('status')).toContainText('vera@example.com may sign in');
  viewerPassword = (await page.getByRole('status').locator('code').textContent()) ?? '';
  await expect(page.getByRole('listitem').filter({ hasText: 'Vera Viewer' })).toContainText('groups All operators');
  expect(complaints.filter((it) => !it.includes('400'))).toEqual([]);
});

test('a viewer signs in, finds figures without names of agents, and nothing else', async ({ page, complaints }) => {
  await page.goto(`${own.url}/queue?preset=7d`);
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await expectAccessible(page);
  await signIn(page, 'vera@example.com', 'wrong wrong wrong');
  await expect(page.getByRole('alert')).toHaveText('the e-mail address or the password is wrong');
  await signIn(page, 'vera@example.com', viewerPassword);
  await expect(page).toHaveURL(`${own.url}/profile`);
  await expect(page.getByRole('status')).toContainText(
    'Choose a password of your own: the one that you were given only lets you in.',
  );
  await expectAccessible(page);
  await page.getByLabel('Present password').fill(viewerPassword);
  await page.getByLabel('New password').fill((viewerPassword = 'a horse that nobody rides'));
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByText('The password is changed')).toBeVisible();
  await page.goto(`${own.url}/queue?preset=7d`);
  await settled(page);
  const menu = page.getByRole('navigation', { name: 'Pages' }).first();
  await expect(menu.getByRole('link', { name: 'Queue', exact: true })).toBeVisible();
  for (const name of ['Agents', 'Transcripts', 'Chats as rows', 'Operations', 'Scheduled reports', 'People', 'Audit'])
    await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /agents/i })).toHaveCount(0);
  const waits = page.getByRole('region', { name: /^Wait before being connected/ });
  await expect(waits.getByLabel('Split by').getByRole('option')).toHaveText([
    ...['Split by…', 'By group', 'By tag', 'By country', 'By weekday'],
  ]);
  await page.goto(`${own.url}/queue?preset=7d&split=waiting.agent`);
  await expect(waits).toContainText('you may not see the figures of single agents');
  for (const path of [
    '/agents',
    '/transcripts',
    '/chat-rows',
    '/chat/K0001',
    '/operations',
    '/people',
    '/audit',
    '/digests',
  ]) {
    const answer = await page.goto(`${own.url}${path}`);
    expect([path, answer?.status()]).toEqual([path, 403]);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('This page is not part of what you may see.');
  }
  await page.goto(`${own.url}/variables`);
  await expect(page.getByText('Admins declare them.')).toBeVisible();
  await expect(page.getByText('None are declared.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const answer = await page.goto(`${own.url}/own-figures`);
  expect(answer?.status()).toBe(200);
  await expect(page.locator('main .ways').getByRole('link')).toHaveText(['Overview']);
  expect(complaints.filter((it) => !/40[13]/.test(it))).toEqual([]);
});

test('who is no agent learns whose figures the own figures are, whether there are whole days or not', async ({
  page,
  complaints,
}) => {
  const lead = async (address: string, places: string[]) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Figures of agents');
    await expect(page.locator('main .ways').getByRole('link')).toHaveText(places);
    await expectAccessible(page);
  };
  // The shared product has whole days, and nobody signs in.
  await lead('/own-figures', ['Agents', 'Overview']);
  await page.locator('main .ways').getByRole('link', { name: 'Agents' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agents');
  await admit(page);
  await lead(`${own.url}/own-figures`, ['Agents', 'Overview']);
  expect(complaints.filter((it) => !/40[13]/.test(it))).toEqual([]);
});

test('an agent begins with the own figures, and sees no list of agents', async ({ page, browser, complaints }) => {
  await admit(page);
  const made = await page.request.post(`${own.url}/api/users`, {
    data: {
      email: 'anna@example.com',
      name: 'Anna Agent',
      role: 'agent',
      rows: { agent: 'ann@example.com' },
      password,
    },
  });
  expect(made.status()).toBe(200);
  const hers = await (await browser.newContext()).newPage();
  await hers.goto(`${own.url}/`);
  await signIn(hers, 'anna@example.com', password);
  await expect(hers).toHaveURL(`${own.url}/profile`);
  await hers.getByLabel('Present password').fill(password);
  await hers.getByLabel('New password').fill('a bicycle for two or three');
  await hers.getByRole('button', { name: 'Change the password' }).click();
  await expect(hers.getByText('The password is changed')).toBeVisible();
  await hers.goto(`${own.url}/own-figures`);
  await expect(hers.getByRole('heading', { level: 1 })).toHaveText('Your figures');
  // The account is younger than a week.
  await expect(hers.getByText('at least 7 of them')).toBeVisible();
  await expectAccessible(hers);
  const menu = hers.getByRole('navigation', { name: 'Pages' }).first();
  await expect(menu.getByRole('link', { name: 'Your figures' })).toHaveAttribute('aria-current', 'page');
  await expect(menu.getByRole('link', { name: 'Agents', exact: true })).toHaveCount(0);
  await hers.goto(`${own.url}/agents`);
  await expect(hers).toHaveURL(`${own.url}/own-figures`);
  await menu.getByRole('link', { name: 'Overview' }).click();
  await expect(hers.getByRole('heading', { level: 1 })).toHaveText('Overview');
  await expect(hers.getByRole('button', { name: /agents/i })).toHaveCount(0);
  const target = { kind: 'satisfaction', valid_from: '2026-01-01', share: 0.9 };
  expect((await page.request.put(`${own.url}/api/targets`, { data: target })).status()).toBe(200);
  await hers.goto(`${own.url}/targets`);
  await expect(hers.getByText('No target is set that you may see')).toBeVisible();
  await expect(hers.getByText('No goal is set that you may see')).toBeVisible();
  await hers.goto(`${own.url}/tv?place=4`);
  await expect(hers.getByRole('heading', { level: 1 })).toHaveText('Targets');
  await expect(hers.getByText('No target is set that you may see').first()).toBeVisible();
  expect(complaints.filter((it) => !/40[13]/.test(it))).toEqual([]);
});

test('before scripts are there nothing is sent, least of all in an address', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${own.url}/sign-in`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
  await expect(page.locator('form')).toHaveAttribute('method', 'post');
  const sent = await (await page.request.get(`${own.url}/sign-in`)).text();
  expect(sent).toContain('<noscript><p>This form needs JavaScript.</p></noscript>');
  await admit(page);
  await page.goto(`${own.url}/people`);
  await expect(page.getByRole('button', { name: 'Let somebody in' })).toBeDisabled();
  const people = await (await page.request.get(`${own.url}/people`)).text();
  expect(people).toContain('<noscript><p>Changing something here needs JavaScript.</p></noscript>');
});

test('a session ends here and there, and a removed user is out at once', async ({ page, browser }) => {
  await page.goto(`${own.url}/`);
  await signIn(page, 'olga@example.com', password);
  await expect(page).toHaveURL(`${own.url}/`);
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(`${own.url}/`);
  await signIn(elsewhere, 'vera@example.com', viewerPassword);
  await expect(elsewhere).toHaveURL(`${own.url}/`);

  await page.goto(`${own.url}/profile`);
  await expect(page.getByText('this one')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('nightly export');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
  await expectAccessible(page);
  const asked = await page.request.get(`${own.url}/api/accounts`, { headers: { authorization: `Bearer ${secret}` } });
  expect(asked.status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('There are no tokens.')).toBeVisible();

  await page.goto(`${own.url}/people`);
  page.once('dialog', (dialog) => void dialog.accept());
  const vera = page.getByRole('listitem').filter({ hasText: 'Vera Viewer' });
  await vera.getByRole('button', { name: 'Remove' }).click();
  await expect(vera).toHaveCount(0);
  await elsewhere.getByRole('link', { name: 'Queue' }).first().click();
  await expect(elsewhere).toHaveURL(/\/sign-in/);

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto(`${own.url}/`);
  await expect(page).toHaveURL(/\/sign-in\?to=%2F$/);
});

test('a second factor is turned on and asked for, and the audit tells of it', async ({ page, complaints }) => {
  await admit(page);
  await page.goto(`${own.url}/profile`);
  const factor = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Second factor' }) });
  await factor.getByLabel('Password').fill(password);
  await factor.getByRole('button', { name: 'Turn it on' }).click();
  await expect(factor.getByRole('img', { name: 'The secret as a code for a camera' })).toBeVisible();
  await expectAccessible(page);
  const totp = new TOTP({ secret: Secret.fromBase32((await factor.locator('code').textContent()) ?? '') });
  const now = Date.now();
  await factor.getByRole('textbox', { name: 'Code' }).fill(totp.generate({ timestamp: now }));
  await factor.getByRole('button', { name: 'Confirm' }).click();
  await expect(factor.getByRole('status').locator('code')).toHaveCount(10);
  await expect(factor).toContainText('10 recovery codes are left');

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await signIn(page, 'olga@example.com', password);
  const code = page.getByLabel('Code of your app, or a recovery code');
  await expect(code).toBeFocused();
  // A code counts once, and is good for the half minute before its own too.
  await code.fill(totp.generate({ timestamp: now + 30_000 }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${own.url}/`);

  await page.goto(`${own.url}/audit`);
  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: 'Turned the second factor on' })).toContainText('olga@example.com');
  await expect(rows.filter({ hasText: 'Removed a user' })).toContainText('vera@example.com');
  await expect(rows.filter({ hasText: /the page \/chat$/ })).toContainText('vera@example.com');
  await expect(rows.filter({ hasText: 'Could not sign in' }).first()).toContainText('vera@example.com');
  await expectAccessible(page);
  await page.getByLabel('What').selectOption('Let somebody in');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/action=user.added/);
  await expect(rows).toHaveCount(4);
  expect(complaints.filter((it) => !/40[13]/.test(it))).toEqual([]);
});
