// What an operator is told on a bad day: every fault of test/server/bad-days.ts at the command line, by GET /api/pulls and on the page,
// with what happened and what to do. Each is pulled once.
import { expect, test, type Page } from '@playwright/test';
import { listPulls, type Pulls } from '#api/contract/pulls.ts';
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
import { freePort } from '../ports.ts';
import { isWhole } from '../whole.ts';
import { begin, until, type Running } from '../server/program.ts';
import { expectAccessible } from './accessible.ts';

let account: BadAccount;
let port: number;
let address: string;
test.beforeAll(async () => {
  account = await badAccount();
  port = await freePort();
  address = `http://127.0.0.1:${port}`;
});
test.afterAll(() => account.close());
test.describe.configure({ mode: 'serial' });

/** Serves a folder while the page is looked at. */
async function lookedAt(page: Page, folder: string, settings: Record<string, string>, look: () => Promise<void>) {
  const running: Running = begin(['serve'], { ...settings, CHATLEDGER_PORT: String(port) }, folder);
  try {
    await until(() => running.said().includes('http://'), 120, 'the server');
    await page.goto(`${address}/operations`);
    await expect(page.getByRole('heading', { name: 'What could not be pulled' })).toBeVisible();
    await look();
  } finally {
    running.child.kill('SIGTERM');
    await running.ended;
  }
}

/** As the contract promises it, without a key more. */
async function pullsOf(page: Page, query = ''): Promise<Pulls> {
  const answer = await page.request.get(`${address}/api/pulls${query}`);
  expect(answer.status()).toBe(200);
  const given = (await answer.json()) as Pulls;
  expect(listPulls.schema.parse(given)).toEqual(given);
  return given;
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
    if (isWhole) await page.screenshot({ path: `test-results/bad-days-${name}-${width}.png`, fullPage: true });
  }
};

for (const [name, troubles, records] of [
  ['silences', silences, []],
  ['oddities', oddities, strangeRecords],
] as const)
  test(`${name}: each is there with its reason and its remedy, and fits a phone`, async ({ page }) => {
    const ended = await account.pull(planOf([...troubles, ...records], account.days), onlyOf(troubles));
    // The pull goes on to its end, and says how much of it was in vain.
    expect([ended.code, ended.said]).toEqual([0, expect.stringMatching(/\d+ requests \(\d+ of them in vain\)/)]);
    expect(ended.said).toContain('questions failed (see the Operations page');
    const lines = ended.complained.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(11);
    for (const line of lines.slice(0, 10))
      expect(line).toMatch(/^chatledger: \S+ (of|from) \d{4}-\d\d-\d\d.*: .+\. .+$/);
    await lookedAt(page, ended.folder, account.settings, async () => {
      const pulls = await pullsOf(page);
      for (const { source, state, why, remedy } of troubles) {
        const of = pulls.failed.filter((one) => one.source === source);
        const told = of.filter((one) => one.state === state && why.test(one.error ?? ''));
        expect([source, told.length, of]).toEqual([source, 1, expect.anything()]);
        expect(told[0]?.what_to_do).toMatch(remedy);
      }
      for (const { source, why } of records) {
        const told = pulls.quarantined.filter((one) => one.source === source && why.test(one.reason));
        const all = pulls.quarantined.map((one) => [one.source, one.reason]);
        expect([source, told.length, all]).toEqual([source, 1, expect.anything()]);
      }
      const sources = new Set<string>([...troubles, ...records].map(({ source }) => source));
      expect(pulls.failed.filter(({ source }) => !sources.has(source))).toEqual([]);

      const told = await failures(page).allInnerTexts();
      const wanting = troubles.filter(
        ({ source, why, remedy }) =>
          !told.some((text) => {
            const [of = '', rest = ''] = [source.replace('archive', 'chats').replace('account.', 'list of '), text];
            const said = rest.split('\n').map((line) => line.trim());
            return said[0] === of && said.some((line) => why.test(line)) && said.some((line) => remedy.test(line));
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

test('what passes or means the same alarms nobody and shows nothing', async ({ page }) => {
  const { code, said, complained, folder } = await account.pull(passing, [
    'archive',
    'total_chats',
    'chat_ratings',
    'engagement',
    'goals',
  ]);
  expect([code, complained]).toEqual([0, '']);
  expect(said).not.toMatch(/failed|set aside/);
  expect(account.service.chaos.told().hit).toBeGreaterThan(20);
  await lookedAt(page, folder, account.settings, async () => {
    const pulls = await pullsOf(page);
    expect([pulls.failed, pulls.quarantined]).toEqual([[], []]);
    expect(pulls.pulls).toEqual([expect.objectContaining({ state: 'done', error: null, faults: expect.any(Number) })]);
    await expect(page.getByText('Nothing: every question was answered and understood.')).toBeVisible();
    await expect(page.getByText(/The last pull ended at/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Records set aside' })).toHaveCount(0);
  });
});

/** With which an account stops, while the others go on. */
const sentences: readonly [account: string, sentence: RegExp][] = [
  [
    'refused',
    /^the account refused the credentials \(.+\): check the credentials that chatledger\.json names for refused$/,
  ],
  [
    'nameless',
    /^nothing answers at http:\/\/no-such-host\.invalid: the name .+: check base_url of nameless in chatledger\.json$/,
  ],
  ['insecure', /^no secure connection to https:\S+ \(\S+\): check .+ certificate: check base_url of insecure/],
];

test('an account that stopped is named on the page of every other, with its sentence', async ({ page }) => {
  const { folder, settings, code, said, complained } = await severalAccounts(account);
  expect(code).toBe(3);
  expect(said).toMatch(/^good: \d+ requests, \d+ chats new/m);
  await lookedAt(page, folder, settings, async () => {
    for (const [id, sentence] of sentences) {
      const lines = complained.split('\n').filter((line) => line.startsWith(`chatledger: ${id}: `));
      expect(lines).toEqual([expect.stringMatching(new RegExp(sentence.source.replace('^', `^chatledger: ${id}: `)))]);
      const pulls = await pullsOf(page, `?account=${id}`);
      expect(pulls.pulls).toEqual([
        expect.objectContaining({ account: id, state: 'failed', error: expect.stringMatching(sentence) }),
      ]);
      expect(pulls.accounts.find((one) => one.account === 'good')).toMatchObject({
        ...{ state: 'done', error: null, failed: 0 },
      });
      expect(pulls.accounts.find((one) => one.account === id)?.error).toMatch(sentence);
    }
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
