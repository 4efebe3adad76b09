// Every page over a year, opened for the first time in a browser: time to the first byte, and until everything is drawn.
import { chromium as browser, type Page } from '@playwright/test';
import { chromium, launchArguments } from '../../test/journeys/chromium.ts';
import { dashboards } from '#dashboards/dashboards.ts';

export interface Opened {
  address: string;
  /** Milliseconds from the request. */
  first_byte: number;
  drawn: number;
}

const addresses = [...dashboards.map(({ path }) => `/${path}`), '/agents'];

/** Nothing is loading, and every chart is drawn. */
const isSettled = (): boolean =>
  document.querySelector('h1') !== null &&
  document.querySelector('[aria-busy="true"], .drawing:not(:has(svg))') === null;

async function opened(page: Page, url: string, address: string): Promise<Opened> {
  const began = performance.now();
  await page.goto(url, { timeout: 300_000 });
  await page.waitForFunction(isSettled, undefined, { timeout: 300_000, polling: 20 });
  const drawn = performance.now() - began;
  const first_byte = await page.evaluate(() =>
    Math.max(
      ...performance.getEntriesByType('navigation').map((it) => (it as PerformanceNavigationTiming).responseStart),
    ),
  );
  return { address, first_byte, drawn };
}

/** One after the other, each in a browser that has nothing of the others. */
export async function openPages(url: string, query: string): Promise<Opened[]> {
  const running = await browser.launch({ executablePath: await chromium(), args: launchArguments });
  try {
    const found: Opened[] = [];
    for (const address of addresses) {
      // As high as the longest page: charts far below the screen would not be drawn.
      const context = await running.newContext({ viewport: { width: 1440, height: 6000 } });
      found.push(await opened(await context.newPage(), `${url}${address}?${query}`, address));
      await context.close();
    }
    return found;
  } finally {
    await running.close();
  }
}
