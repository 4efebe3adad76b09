// What a page may cost a phone: scripts, what jumps while it loads, when its largest part is there, and its width.
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { partOf } from '../whole.ts';
import { open, pages, settled, test } from './product.ts';

/** The figure of the design: all scripts of a page as they would come gzipped, charts included. */
const MOST_SCRIPT = 260_000;
const MOST_SHIFT = 0.1;
const WIDTH = 390;
/** Generous, so that a busy machine does not fail it; Lighthouse is asked for the real figure (docs/speed.md). */
const MOST_SECONDS = 4;

const others = [
  '/agents',
  '/agent/amelia.hart@velora.example',
  '/transcripts?query=refund',
  '/chat-rows',
  '/reconciliation',
];
const rest = ['/boards', '/operations', '/digests', '/digests/month', '/catalogue', '/tv'];

// Every third; with the drill all.
for (const [name, of] of [
  ['pages of panels', partOf(pages, 3).map(({ address }) => address)],
  ['other pages', partOf([...others, ...rest], 3)],
] as const)
  test(`${name} are light, stand still and fit`, async ({ page }) => {
    await asOnPhone(page);
    const found: [address: string, over: Partial<Cost>][] = [];
    for (const address of of) found.push([address, await costOf(page, address)]);
    expect(found).toEqual(of.map((address) => [address, within]));
  });

test('a receipt and a chat are light and stand still', async ({ page }) => {
  await asOnPhone(page);
  const receipt = '/receipt/total_chats?grain=total&measure=chats';
  expect(await costOf(page, receipt)).toEqual(within);
  const chat = await page.locator('#chats a[href^="/chat/"]').first().getAttribute('href');
  expect(await costOf(page, chat ?? '')).toEqual(within);
});

test('a phone draws the charts that come near its screen', async ({ page }) => {
  await page.setViewportSize({ width: WIDTH, height: 844 });
  await open(page, '/?preset=7d');
  const waiting = page.locator('.drawing:not(:has(svg))');
  expect(await waiting.count()).toBeGreaterThan(3);
  const last = page.locator('.drawing').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last.locator('svg')).toBeVisible();
});

test('a page is read and drawn before its scripts are asked for', async ({ page }) => {
  // When a frame was drawn for the first time that had the page's heading in it.
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('h1')) performance.mark('drawn');
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await open(page, '/queue');
  const [read, drawn, asked] = await page.evaluate(() => [
    performance.getEntriesByType('navigation').map((entry) => (entry as PerformanceNavigationTiming).domInteractive),
    performance.getEntriesByName('drawn').map(({ startTime }) => startTime),
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
  ]);
  expect([read?.length, drawn?.length]).toEqual([1, 1]);
  const first = Math.min(...(asked ?? []));
  expect(first).toBeGreaterThan(read?.[0] ?? Infinity);
  expect(first).toBeGreaterThan(drawn?.[0] ?? Infinity);
});

interface Cost {
  width: number;
  script: number;
  shift: number;
  seconds: number;
}

/** What is too much is named with its figure; what is not is left out. */
const within = {};

/** Every page is loaded as if it were the first: nothing of it is there already. */
async function asOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: 844 });
  await page.addInitScript(watch);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
}

/** Opens the page on a phone and gives what exceeds its bound. */
async function costOf(page: Page, address: string): Promise<Partial<Cost>> {
  // What a page loads when it is left is not of the next one.
  await page.goto('about:blank');
  const scripts: Promise<number>[] = [];
  const count = async (body: Promise<Buffer>) => gzipSync(await body).length;
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(count(response.body()));
  });
  await open(page, address);
  await settled(page);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  const script = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  page.removeAllListeners('response');
  expect(script, 'the scripts of the page were seen').toBeGreaterThan(20_000);
  expect(seen.seconds, 'the largest part was seen').toBeGreaterThan(0);
  return {
    ...(width > WIDTH ? { width } : {}),
    ...(script > MOST_SCRIPT ? { script } : {}),
    ...(seen.shift > MOST_SHIFT ? { shift: seen.shift } : {}),
    ...(seen.seconds > MOST_SECONDS ? { seconds: seen.seconds } : {}),
  };
}

interface Seen {
  shift: number;
  seconds: number;
}

/** Runs in the page, before it. */
function watch(): void {
  const seen: Seen = { shift: 0, seconds: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.seconds = entry.startTime / 1000;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}
