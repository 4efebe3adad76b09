// Everything about who comes in is done by keyboard alone: what can be used is reached in its order and seen to have the focus, and the focus is never lost.
import { expect, type Locator, type Page } from '@playwright/test';
import { chat, lines, staff } from '../livechat/service/tiny.ts';
import { startSecond } from './second.ts';
import { awake, settled, testOnKeptPage as test } from './product.ts';

const HOUR = 3_600_000;
const instant = (hoursAgo: number, minutes = 0) =>
  new Date(Date.now() - hoursAgo * HOUR + minutes * 60_000).toISOString();
const chats = Array.from({ length: 4 }, (_, index) =>
  chat(instant(30 + index), instant(30 + index, 10), { events: lines(instant(30 + index), 'v5', 'a20') }),
);
const password = 'correct horse battery staple';
const mostTabs = 150;

let own: Awaited<ReturnType<typeof startSecond>>;
test.beforeAll(async () => {
  own = await startSecond([{ id: 'default', staff, records: { chats } }]);
});
test.afterAll(() => own.end());
test.describe.configure({ mode: 'serial' });

/** A press of Tab, and what has the focus then: its place among what can be used in the page, and whether that is seen. */
async function tab(page: Page, key = 'Tab') {
  await page.keyboard.press(key);
  return page.evaluate(() => {
    const used =
      'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, [tabindex="0"]';
    const main = document.querySelector('main');
    const all = [...(main?.querySelectorAll(used) ?? [])].filter((it) =>
      it.checkVisibility({ visibilityProperty: true }),
    );
    const { activeElement: at } = document;
    // Within a date or a time the browser shows which part of it has the focus.
    const isDate = at instanceof HTMLInputElement && ['date', 'time'].includes(at.type);
    const { outlineStyle, outlineWidth } = getComputedStyle(at ?? document.body);
    return {
      ...{ place: at ? all.indexOf(at) : -1, count: all.length, isInside: main?.contains(at) === true },
      what: `${at?.tagName.toLowerCase()} ${at?.textContent?.trim().slice(0, 30)} ${at?.getAttribute('name') ?? ''}`,
      isSeen: isDate || (outlineStyle !== 'none' && outlineWidth !== '0px'),
    };
  });
}

/** From the beginning of a page each thing that can be used comes in its order, shows that it has the focus, and lets go of it. */
async function expectWalk(page: Page): Promise<void> {
  await page.locator('main').focus();
  const places: number[] = [];
  for (let tabs = 0; ; tabs += 1) {
    const { place, count, what, isInside, isSeen } = await tab(page);
    if (!isInside) {
      expect(places, page.url()).toEqual(Array.from({ length: count }, (_, index) => index));
      return;
    }
    expect([page.url(), what, isSeen]).toEqual([page.url(), what, true]);
    // A date is three fields and a calendar.
    if (places.at(-1) !== place) places.push(place);
    expect(tabs, `${page.url()}: the focus does not leave the page, ${what}`).toBeLessThan(mostTabs);
  }
}

async function reach(page: Page, what: Locator, key = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    if (await what.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(what, 'is not reached').toBeFocused();
}

async function press(page: Page, what: Locator, key = 'Enter'): Promise<void> {
  await reach(page, what);
  await page.keyboard.press(key);
}

async function write(page: Page, label: string | RegExp, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openPage(page: Page, path: string): Promise<void> {
  await awake(page, () => page.goto(`${own.url}${path}`));
  await settled(page);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip' });
  if (await skip.count()) {
    await expect(skip).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
  }
}

/** The admin, where the form is not what a journey is about. */
async function admit(page: Page): Promise<void> {
  const data = { email: 'olga@example.com', password };
  expect((await page.request.post(`${own.url}/api/sign-in`, { data })).status()).toBe(200);
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.goto(`${own.url}/sign-in`);
  await expect(button(page, 'Sign in')).toBeEnabled();
  await write(page, 'E-mail address', email);
  await write(page, /^Password/, secret);
  await page.keyboard.press('Enter');
}

test('the first admin is made, and somebody is let in and shut out', async ({ page }) => {
  await openPage(page, '/let-others-in');
  await expect(button(page, 'Make the first admin')).toBeEnabled();
  await expectWalk(page);
  await page.locator('main').focus();
  await write(page, 'Name', 'Olga Owner');
  await write(page, 'E-mail address', 'olga@example.com');
  await write(page, /^Password/, 'olga@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await reach(page, page.getByLabel(/^Password/), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
  const opener = button(page, 'Let somebody in');
  await expect(opener).toBeEnabled();
  await page.locator('main').focus();
  await press(page, opener);
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await expectWalk(page);
  await page.locator('main').focus();
  await write(page, 'Name', 'Anna Agent');
  await write(page, 'E-mail address', 'olga@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await reach(page, page.getByLabel('E-mail address'), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('anna@example.com');
  await reach(page, page.getByLabel('Role'));
  await page.keyboard.type('Viewer');
  await press(page, page.getByLabel('All operators'), 'Space');
  await press(page, opener);
  await expect(page.getByRole('status')).toBeFocused();
  const row = page.getByRole('listitem').filter({ hasText: 'Anna Agent' });
  const change = row.getByRole('button', { name: 'Change', exact: true });
  await press(page, change);
  await expect(name).toBeFocused();
  await reach(page, button(page, 'Cancel'));
  await page.keyboard.press('Space');
  await expect(change).toBeFocused();
  page.on('dialog', (question) => question.accept());
  await press(page, row.getByRole('button', { name: 'Remove' }));
  await expect(row).toHaveCount(0);
  await expect(page.locator('main button:focus')).toBeVisible();
});

test('who signs in is refused at the words that say why, and makes and revokes a token', async ({ page }) => {
  await signIn(page, 'olga@example.com', 'wrong wrong wrong');
  await expect(page.getByRole('alert')).toBeFocused();
  await expectWalk(page);
  await signIn(page, 'olga@example.com', password);
  await expect(page).toHaveURL(`${own.url}/`);
  await openPage(page, '/profile');
  await expect(button(page, 'Make a token')).toBeEnabled();
  await expectWalk(page);
  await page.locator('main').focus();
  await write(page, 'Name', 'a script');
  await press(page, button(page, 'Make a token'));
  await expect(page.getByRole('status')).toBeFocused();
  await press(page, button(page, 'Revoke'));
  await expect(button(page, 'Revoke')).toHaveCount(0);
  await expect(page.locator('main section :focus')).toBeVisible();
});

test('the audit, an erasure and a report are asked for, and refusals are read first', async ({ page }) => {
  await admit(page);
  await openPage(page, '/audit');
  await expectWalk(page);
  await page.locator('main').focus();
  await write(page, 'Who', 'olga');
  await press(page, button(page, 'Show'));
  await expect(page).toHaveURL(/who=olga/);
  await expect(button(page, 'Show')).toBeFocused();

  await openPage(page, '/erase');
  await expectWalk(page);
  await page.locator('main').focus();
  const person = page.locator('#person');
  await reach(page, person);
  await page.keyboard.type('nobody-of-that-name');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').or(page.getByRole('heading', { name: 'What would be erased' }))).toBeFocused();

  await openPage(page, '/digests/new');
  await expectWalk(page);
  await page.locator('main').focus();
  await press(page, button(page, 'Add another recipient'));
  await expect(page.getByRole('group', { name: 'Recipient 2' }).getByRole('textbox').first()).toBeFocused();
  await press(page, page.getByRole('group', { name: 'Recipient 2' }).getByRole('button', { name: /^Remove/ }));
  await expect(page.locator('main :focus')).toBeVisible();
  await press(page, button(page, 'Save'));
  await expect(page.locator('main :focus:invalid')).toBeVisible();
  await page.keyboard.type('Weekly');
  await reach(page, page.getByRole('group', { name: 'Recipient 1' }).getByLabel('Language'));
  await page.keyboard.type('no language');
  await press(page, button(page, 'Save'));
  await expect(page.getByRole('alert')).toBeFocused();
});

test('an agent chooses a password and other days of the own figures', async ({ page, browser }) => {
  const admin = await (await browser.newContext()).newPage();
  await admit(admin);
  const rows = { agent: 'ann@example.com' };
  const user = { email: 'anna@example.com', name: 'Anna Agent', role: 'agent', rows, password };
  expect((await admin.request.post(`${own.url}/api/users`, { data: user })).status()).toBe(200);
  await signIn(page, 'anna@example.com', password);
  await expect(page).toHaveURL(`${own.url}/profile`);
  await expect(button(page, 'Change the password')).toBeEnabled();
  await write(page, /^Present password/, password);
  await write(page, /^New password/, 'a bicycle for two or three');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The password is changed')).toBeVisible();
  await openPage(page, '/own-figures');
  await expectWalk(page);
  await page.locator('main').focus();
  const days = page.locator('main summary').first();
  await press(page, days);
  await page.keyboard.press('Escape');
  await expect(days).toBeFocused();
});
