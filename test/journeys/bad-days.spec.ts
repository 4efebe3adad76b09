// What an operator sees on a bad day: every fault of test/server/bad-days.ts on the page, with what happened and what to do.
import { expect, test, type Page } from '@playwright/test';
import {
  badAccount,
  oddities,
  onlyOf,
  passing,
  planOf,
  severalAccounts,
  silences,
  strangeRecords,
  type BadAccount,
} from '../server/bad-days.ts';
import { begin, until, type Running } from '../server/program.ts';
import { expectAccessible } from './accessible.ts';

const PORT = 3311;
let account: BadAccount;
test.beforeAll(async () => void (account = await badAccount()));
test.afterAll(() => account.close());
test.describe.configure({ mode: 'serial' });

/** Serves a folder while the page is looked at. */
async function lookedAt(page: Page, folder: string, settings: Record<string, string>, look: () => Promise<void>) {
  const running: Running = begin(['serve'], { ...settings, CHATLEDGER_PORT: String(PORT) }, folder);
  try {
    await until(() => running.said().includes('http://'), 120, 'the server');
    await page.goto(`http://127.0.0.1:${PORT}/operations`);
    await expect(page.getByRole('heading', { name: 'What could not be pulled' })).toBeVisible();
    await look();
  } finally {
    running.child.kill('SIGTERM');
    await running.ended;
  }
}

const failures = (page: Page) => page.getByRole('list', { name: 'What could not be pulled' }).getByRole('listitem');
const pixels = async (page: Page, name: string) => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(wide, { message: `${name}, ${width} wide` }).toBe(0);
    await page.screenshot({ path: `test-results/bad-days-${name}-${width}.png`, fullPage: true });
  }
};

for (const [name, troubles, records] of [
  ['silences', silences, []],
  ['oddities', oddities, strangeRecords],
] as const)
  test(`${name}: each is there with its reason and its remedy, and fits a phone`, async ({ page }) => {
    const { folder } = await account.pull(planOf([...troubles, ...records], account.days), onlyOf(troubles));
    await lookedAt(page, folder, account.settings, async () => {
      const told = await failures(page).allInnerTexts();
      const wanting = troubles.filter(
        ({ source, why, remedy }) =>
          !told.some((text) => {
            const [of = '', rest = ''] = [source.replace('archive', 'chats').replace('account.', 'list of '), text];
            const lines = rest.split('\n').map((line) => line.trim());
            return lines[0] === of && lines.some((line) => why.test(line)) && lines.some((line) => remedy.test(line));
          }),
      );
      expect(
        wanting.map(({ fault, source }) => [fault, source, told.filter((text) => text.startsWith(source))]),
      ).toEqual([]);
      const aside = await page.getByRole('region', { name: 'Records set aside' }).getByRole('row').allInnerTexts();
      expect(records.filter(({ why }) => !aside.some((text) => why.test(text)))).toEqual([]);
      // What is somebody's work stands first.
      if (name === 'silences') expect(told[0]).toContain('Check the address of the account');
      await pixels(page, name);
      await expectAccessible(page);
    });
  });

test('what passes or means the same shows nothing', async ({ page }) => {
  const { folder } = await account.pull(passing, ['archive', 'total_chats', 'goals']);
  await lookedAt(page, folder, account.settings, async () => {
    await expect(page.getByText('Nothing: every question was answered and understood.')).toBeVisible();
    await expect(page.getByText(/The last pull ended at/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Records set aside' })).toHaveCount(0);
  });
});

test('an account that stopped is named on the page of every other, with its sentence', async ({ page }) => {
  const { folder, settings } = await severalAccounts(account);
  await lookedAt(page, folder, settings, async () => {
    const accounts = page.locator('section', { has: page.getByRole('heading', { name: 'Accounts' }) });
    await expect(accounts.getByRole('listitem')).toHaveCount(4);
    await expect(accounts).toContainText('the account refused the credentials');
    await expect(accounts).toContainText('nothing answers at http://no-such-host.invalid');
    await expect(accounts).toContainText('no secure connection');
    await pixels(page, 'accounts');
    await page.getByRole('link', { name: 'refused' }).click();
    await expect(page.getByText(/The last pull stopped at .+ refused the credentials/)).toBeVisible();
  });
});
