// A page of the running product that remembers what went wrong in the browser's console.
import { expect, test as base, type Page, type PlaywrightTestArgs } from '@playwright/test';
import { dashboards } from '#dashboards/dashboards.ts';

/** Every page of the product: its name in the menu, its address, and the titles of its panels. */
export const pages = dashboards.map(({ title, path, panels }) => ({
  title,
  address: `/${path}`,
  panels: panels.map((panel) => panel.title),
  charts: panels.filter((panel) => panel.picture !== 'tile').map((panel) => panel.title),
}));

export const test = base.extend<{ complaints: string[]; unanswered: void }, { kept: { page?: Page } }>({
  kept: [
    async ({ browser: _ }, use) => {
      const kept: { page?: Page } = {};
      await use(kept);
      await kept.page?.context().close();
    },
    { scope: 'worker' },
  ],
  /** What a page asks when its journey is over has no answer any more: that is no failure of the journey. */
  unanswered: [
    async ({ page }, use) => {
      await use();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
    { auto: true },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    // With the address: a refusal says its status alone.
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`.trim());
    });
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
    await use(complaints);
  },
});

/**
 * One page for all journeys of a worker that take it, without anything of the one before: to load and compile the scripts of the product in a
 * new browser is half of what a visit takes. Not for journeys that add scripts to the page or stop its clock.
 */
export const testOnKeptPage = test.extend<PlaywrightTestArgs>({
  page: async ({ browser, kept, baseURL, viewport, hasTouch, javaScriptEnabled, contextOptions }, use, journey) => {
    const isOther = hasTouch || !javaScriptEnabled || Object.keys(contextOptions).length > 0;
    if (isOther) throw new Error('a journey in another browser than the others takes a page of its own');
    const page = (kept.page ??= await (await browser.newContext()).newPage());
    await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
    await use(page);
    if (page.isClosed() || journey.status !== journey.expectedStatus) delete kept.page;
    else await forgetAll(page, new URL(baseURL ?? '').origin);
  },
  context: async ({ page }, use) => use(page.context()),
});

const heardByJourneys = ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const;

/** Leaves the page at a picture of the product, which runs nothing, with the browser as it began. */
async function forgetAll(page: Page, product: string): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of heardByJourneys) await page.removeAllListeners(event, { behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const { origin } = new URL(page.url());
  // Another server that a journey went to may be gone when the next one has ended.
  for (const visited of new Set(origin === 'null' ? [product] : [origin, product])) {
    await page.goto(`${visited}/favicon.svg`);
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  }
  await page.emulateMedia({ media: null, colorScheme: null, contrast: null, forcedColors: null, reducedMotion: null });
  await context.clearCookies();
  await context.clearPermissions();
}

/** Opens a page and waits until its scripts have drawn what is on the screen. */
export async function open(page: Page, address: string): Promise<void> {
  await waitForSnapshot(page);
  await awake(page, () => page.goto(address));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settled(page);
}

/**
 * What the server drew does nothing before the scripts run; the last thing that they begin is to listen. The page before may begin that
 * as late as when it is left: so the button of the palette must have heard of the scripts too.
 */
export async function awake(page: Page, load: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForRequest('**/api/events'), load()]);
  await expect(page.locator('button.unscripted')).toHaveCount(0);
}

/** Waits until no panel is loading and every chart on the screen is drawn; those far below are drawn when they come near. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect.poll(() => page.locator('.drawing:not(:has(svg))').evaluateAll(countOnScreen)).toBe(0);
}

const countOnScreen = (all: Element[]): number =>
  all.filter((it) => {
    const { top, bottom } = it.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }).length;

/** Numbers stand still once the whole range is published. */
async function waitForSnapshot(page: Page): Promise<void> {
  // A connection that the server is about to close as idle may be taken once more.
  const health = async () => (await (await page.request.get('/api/health', { maxRetries: 3 })).json()) as Health;
  await expect.poll(async () => (await health()).pull.last_success_at, { timeout: 120_000 }).not.toBeNull();
}

interface Health {
  pull: { last_success_at: string | null };
}

/** As high as any page: every chart is on the screen, and drawn at once. */
export const whole = { width: 1280, height: 8000 };

/** A panel or tile by its title. */
export function panel(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}
