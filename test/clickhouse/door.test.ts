// At the door of the product with ClickHouse: pull, publish, pages in a browser and a digest, and all of it as the product with the file has it.
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../chance.ts';
import { chromium as installedChromium, launchArguments } from '../journeys/chromium.ts';
import { pages } from '../journeys/product.ts';
import { newFolder, program, runToEnd, until } from '../server/program.ts';
import { dayBefore } from '../server/still.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import { products, type Products } from './products.ts';

const title = 'the door of the product with ClickHouse';
/** Two minutes and a browser: the drill opens it. */
const whyNot = isWhole ? whyNoPeer : `${title}: npm run drill:clickhouse`;
const isOpened = isWhole && installedPeer() !== undefined;
const range = `from=${dayBefore(6)}&to=${dayBefore(1)}`;

describe.skipIf(!isOpened)(isOpened ? title : whyNot, () => {
  let beside: Products;
  let browser: Browser;

  const started = (word: 'start' | 'serve', own: Record<string, string>, folder: string): Promise<string> =>
    beside.ready([program, word], { ...own, CHATLEDGER_PULL_CRON: '0 0 29 2 *' }, folder);
  /** A copy of a folder that a program works in, as a backup makes it. */
  async function backedUp(folder: string, settings: Record<string, string>): Promise<string> {
    const copy = newFolder();
    const kept = join(copy, 'backup.tar');
    const [made, restored] = [
      await runToEnd(['backup', kept], settings, folder),
      await runToEnd(['restore', kept], settings, copy),
    ];
    expect([made.code, restored.code]).toEqual([0, 0]);
    return copy;
  }
  async function opened(page: Page, address: string): Promise<void> {
    // The last thing that the scripts of a page begin is to listen.
    await Promise.all([page.waitForRequest('**/api/events'), page.goto(address)]);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .drawing:not(:has(svg))'));
  }
  /** Every word and number of a page and its tables, but for what can be chosen in its filters. */
  async function wordsOf(page: Page, address: string): Promise<string> {
    await opened(page, address);
    return page.evaluate(() => {
      // What charts have room for depends on when they are drawn; their tables have every number.
      document.querySelectorAll('select, svg, script, noscript, style').forEach((each) => each.remove());
      return document.querySelector('main')?.textContent.replace(/\s+/g, ' ') ?? '';
    });
  }
  /** The newest digest as files, sent by the button on its page. */
  async function sent(page: Page, origin: string): Promise<Record<string, Buffer>> {
    // The week before the first pulled day is part of it.
    const address = `${origin}/api/digests/monday-morning`;
    const { digest } = (await (await page.request.get(address)).json()) as { digest: Record<string, unknown> };
    const { id: _, next_at: _next, schedule_problem: _problem, last: _last, ...kept } = digest;
    const put = await page.request.put(address, { data: { ...kept, when_incomplete: 'stamp' }, headers: { origin } });
    expect([put.status(), await put.text()]).toEqual([200, expect.any(String)]);
    await opened(page, `${origin}/digests`);
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Monday morning' }) });
    await item.getByRole('button', { name: 'Send now' }).click();
    await item.getByText(/last: \d{4}-W\d\d, sent/).waitFor({ timeout: 60_000 });
    await opened(page, `${origin}/digests/monday-morning`);
    const row = page.getByRole('region', { name: 'History' }).getByRole('row').nth(1);
    const files: Record<string, Buffer> = {};
    for (const link of await row.getByRole('link').all()) {
      const answer = await page.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
      files[(await link.innerText()).trim()] = await answer.body();
    }
    return files;
  }

  beforeAll(async () => {
    beside = await products();
    browser = await chromium.launch({ executablePath: await installedChromium(), args: launchArguments });
  });
  afterAll(async () => {
    await browser.close();
    await beside.end();
  });

  test('a first pull is published there, and pages and digests are those of the file', async () => {
    const { pulled, database } = beside;
    const folder = newFolder();
    const settings = { ...pulled.settings(), CHATLEDGER_WAREHOUSE: database.address };
    const there = await started('start', settings, folder);
    const hasAll = async (): Promise<boolean> => {
      const health = (await (await fetch(`${there}/api/health`)).json()) as {
        pull: { last_success_at: string | null };
      };
      return health.pull.last_success_at !== null;
    };
    await until(hasAll, 300, 'the first pull');
    const file = await started('serve', pulled.settings(), await backedUp(folder, pulled.settings()));

    const context = await browser.newContext({ viewport: { width: 1440, height: 8000 }, locale: 'en-GB' });
    const page = await context.newPage();
    const before = database.peer.statements.length;
    let figures = 0;
    for (const address of [...pages.map((each) => each.address), '/accounts', '/agents', '/reconciliation']) {
      const words = await wordsOf(page, `${there}${address}?${range}`);
      figures += words.match(/\d+/g)?.length ?? 0;
      expect([address, words]).toEqual([address, await wordsOf(page, `${file}${address}?${range}`)]);
    }
    expect(figures).toBeGreaterThan(500);
    expect(database.peer.statements.length).toBeGreaterThan(before + 100);

    const [made, alike] = [await sent(page, there), await sent(page, file)];
    expect(Object.keys(made).length).toBeGreaterThan(1);
    expect(Object.keys(made)).toEqual(Object.keys(alike));
    expect(made['PDF']?.subarray(0, 5).toString()).toBe('%PDF-');
    const isEqual = Object.entries(made).map(([name, bytes]) => [name, bytes.length > 100, alike[name]?.equals(bytes)]);
    console.log(`${figures} figures of ${pages.length + 3} pages, digest: ${JSON.stringify(isEqual)}`);
    expect(isEqual).toEqual(Object.keys(made).map((name) => [name, true, true]));

    database.peer.setDown(true);
    await opened(page, `${there}/?from=${dayBefore(5)}&to=${dayBefore(2)}`);
    const told = await page.locator('main').innerText();
    database.peer.setDown(false);
    expect(told).toContain('does not answer');
    await context.close();
  });
});
