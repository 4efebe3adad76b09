// Opens every page on every kind of screen, in all colours, enlarged and printed, and says what does not fit, lies over something else or
// keeps somebody out (axe). `npm run drill:layouts -- [folder of pictures] [part of an address] [seed]`; exit code 1 when something was found.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import AxeBuilder from '@axe-core/playwright';
import { chromium as browsers, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { dashboards } from '#dashboards/dashboards.ts';
import { build, isBuilt } from '#server/build.ts';
import { createChildren } from '#server/children.ts';
import { pages } from '../access/pages.ts';
import { chromium, launchArguments } from '../journeys/chromium.ts';
import { freePort } from '../ports.ts';
import { begin } from '../server/program.ts';
import { layoutFaults } from './layouts/faults.ts';

interface Layout extends BrowserContextOptions {
  name: string;
  media?: 'print';
}

const screen = (width: number): { viewport: { width: number; height: number } } => ({
  viewport: { width, height: 900 },
});

/** Pixels between the margins of a sheet of A4, upright and across. */
const [portrait, landscape] = [718, 1047];

const layouts: readonly Layout[] = [
  { name: '390', ...screen(390) },
  { name: '768', ...screen(768) },
  { name: '1024', ...screen(1024) },
  { name: '1440', ...screen(1440) },
  { name: '2560', ...screen(2560) },
  { name: '390 dark', ...screen(390), colorScheme: 'dark' },
  { name: '1440 dark', ...screen(1440), colorScheme: 'dark' },
  { name: '1440 forced colours', ...screen(1440), forcedColors: 'active' },
  // What a browser does at 200 %: half as many pixels, each twice as large.
  { name: '1440 at 200 %', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
  { name: 'printed', ...screen(portrait), media: 'print' },
];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const [pictures = join(tmpdir(), 'chatledger-layouts'), part = '', seed = ''] = process.argv.slice(2);
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

async function json<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return (await answer.json()) as T;
}

/** Of each page an address that has something to show. */
async function addressesAt(url: string): Promise<string[]> {
  const { rows: chats } = await json<{ rows: { chat_id: string }[] }>(`${url}/api/chats?limit=1`);
  const shown: Readonly<Record<string, string[]>> = {
    '/[[dashboard]]': dashboards.map(({ path }) => `/${path}`),
    '/chat/[id]': chats.map(({ chat_id }) => `/chat/${chat_id}`),
    '/agent/[login]': ['/agent/amelia.hart@velora.example'],
    '/transcripts': ['/transcripts', '/transcripts?q=thank'],
    '/tv': [1, 2, 3, 4].map((place) => `/tv?place=${place}`),
    '/board/[id]': [],
  };
  return Object.entries(pages).flatMap(([route, { at }]) => shown[route] ?? [at]);
}

async function ready(url: string, isAlive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (!isAlive()) throw new Error('the product ended while it started');
    const health = await json<{ pull: { last_success_at: string | null } }>(`${url}/api/health`).catch(() => null);
    if (health?.pull.last_success_at) return;
    await pause(250);
  }
  throw new Error('the product was not ready within five minutes');
}

/** Charts are drawn when they come near the screen: a screen as high as the page draws all of them. */
async function drawn(page: Page, { viewport }: Layout): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: viewport?.width ?? 1440, height: Math.min(Math.max(height, 900), 12_000) });
  const isDrawn = (): boolean =>
    document.querySelector('[aria-busy="true"]') === null && document.querySelector('.drawing:not(:has(svg))') === null;
  await page.waitForFunction(isDrawn, undefined, { timeout: 60_000 });
}

async function print(page: Page): Promise<void> {
  const isAcross = (await page.locator('main:has(.across)').count()) > 0;
  const height = page.viewportSize()?.height ?? 900;
  await page.setViewportSize({ width: isAcross ? landscape : portrait, height });
  await page.emulateMedia({ media: 'print' });
}

async function look(browser: Browser, url: string, address: string, layout: Layout): Promise<string[]> {
  const { name, media, ...options } = layout;
  const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    const found: string[] = [];
    page.on('pageerror', ({ message }) => found.push(`an error of a script: ${message}`));
    await page.goto(url + address);
    await drawn(page, layout);
    if (media) await print(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    found.push(...(await page.evaluate(layoutFaults)));
    const axe = new AxeBuilder({ page }).setLegacyMode();
    // Nobody has to hit a link on paper.
    const rules = media ? { 'target-size': { enabled: false } } : {};
    axe.options({ resultTypes: ['violations'], runOnly: { type: 'tag', values: tags }, rules });
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      found.push(
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ target }) => target.join(' '))
          .join(', ')}`,
      );
    const file = `${address
      .replace(/^\/(\?.*)?$/, '/overview')
      .slice(1)
      .replace(/[^\w-]+/g, '-')} ${name.replace(' %', '')}.png`;
    await page.screenshot({ path: join(pictures, file), fullPage: true });
    return found;
  } finally {
    await context.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'chatledger-drill-layouts-'));
mkdirSync(pictures, { recursive: true });
if (!isBuilt()) await build(createChildren());
const [port, service] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const settings = {
  CHATLEDGER_DATA: join(folder, 'data'),
  CHATLEDGER_PORT: `${port}`,
  CHATLEDGER_SERVICE_PORT: `${service}`,
};
const product = begin(
  ['start'],
  {
    ...settings,
    CHATLEDGER_SERVICE_DAYS: '21',
    ...(seed ? { CHATLEDGER_SERVICE_SEED: seed } : {}),
    CHATLEDGER_PULL_CRON: '0 0 29 2 *',
  },
  folder,
);
const browser = await browsers.launch({ executablePath: await chromium(), args: launchArguments });
let [looked, failures] = [0, 0];
try {
  await ready(url, () => product.child.exitCode === null);
  for (const address of (await addressesAt(url)).filter((it) => it.includes(part)))
    for (const layout of layouts) {
      const found = await look(browser, url, address, layout).catch((error: unknown) => [String(error)]);
      looked += 1;
      failures += found.length;
      for (const sentence of found) say(`${address} (${layout.name}): ${sentence}`);
    }
} finally {
  await browser.close();
  product.child.kill('SIGTERM');
  if (product.child.exitCode === null) await once(product.child, 'exit');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
say(`${looked} looks, pictures in ${pictures}: ${failures === 0 ? 'nothing found' : `${failures} faults`}`);
process.exitCode = failures === 0 ? 0 : 1;
