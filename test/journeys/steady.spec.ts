// Answers that come late, and pulls that end, move nothing of a page that is being read. Answers are held back until the page is drawn
// without them: on a large account every page comes so.
import { expect, type Page, type Route } from '@playwright/test';
import { partOf } from '../whole.ts';
import { open, pages, settled, test } from './product.ts';

const MOST_SHIFT = 0.1;
const screens = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

interface Shifts {
  sum: number;
  /** What moved, and how far down or up. */
  moved: string[];
}

/** Runs in the page, before it. */
function watch(): void {
  const shifts: Shifts = { sum: 0, moved: [] };
  Object.assign(globalThis, { shifts });
  type Entry = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[])
      if (!hadRecentInput) {
        shifts.sum += value;
        const [{ node = null, previousRect, currentRect } = {}] = sources;
        const text = (node?.textContent ?? '').trim().slice(0, 40);
        shifts.moved.push(`${value.toFixed(3)} ${text} ${previousRect?.y ?? ''} → ${currentRect?.y ?? ''}`);
      }
  }).observe({ type: 'layout-shift' });
}

const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(() => {
    const { shifts } = globalThis as unknown as { shifts: Shifts };
    return shifts;
  });

/** Two frames: what was changed is drawn, and what moved by it is known. */
async function begin(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 100));
    Object.assign((globalThis as unknown as { shifts: Shifts }).shifts, { sum: 0, moved: [] });
  });
}

/** Holds back the answers of panels; released, they come one after the other, the last asked first. */
async function held(page: Page): Promise<{ count: () => number; release: () => Promise<void> }> {
  const waiting: Route[] = [];
  let isHolding = true;
  await page.route(/\/api\/(metrics\/|reconciliation)/, async (route) => {
    if (isHolding) waiting.push(route);
    else await route.continue();
  });
  return {
    count: () => waiting.length,
    release: async () => {
      isHolding = false;
      for (const route of waiting.splice(0).toReversed()) {
        await route.continue();
        await page.waitForTimeout(20);
      }
    },
  };
}

for (const [turn, viewport] of screens.entries())
  test(`late answers move nothing, ${viewport.width} wide`, async ({ page }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await page.addInitScript(watch);
    await open(page, '/catalogue');
    // Every third, others on the other screen; with the drill all on both.
    for (const { title, address } of partOf(pages, 3, turn + 1)) {
      const answers = await held(page);
      await page.evaluate((path) => {
        const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
        links.find(({ pathname }) => pathname === path)?.click();
      }, address);
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
      await expect.poll(answers.count).toBeGreaterThan(0);
      await begin(page);
      await answers.release();
      await settled(page);
      await page.waitForTimeout(200);
      const { sum, moved } = await shiftsOf(page);
      expect([title, sum < MOST_SHIFT ? [] : [sum, ...moved]]).toEqual([title, []]);
      test.info().annotations.push({ type: 'shift', description: `${title}: ${sum.toFixed(3)}` });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // To a page of another kind, so that all of the next one is new.
      await page.goBack();
      await expect(page).toHaveURL(/\/catalogue$/);
    }
  });

const eventOf = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What the server says of a first pull: at work, looking for late changes, and over. */
const stages = [
  { running: true, stage: 'backfill', done: 1538, total: 104_271, pulled_since: '2026-11-15' },
  { running: true, stage: 'changes', done: 0, total: 0, pulled_since: null },
  { running: false, stage: null, done: 0, total: 0, pulled_since: null },
];

for (const viewport of partOf([...screens, { width: 1000, height: 900 }], 2))
  test(`a pull that begins, goes on and ends moves nothing, ${viewport.width} wide`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.addInitScript(watch);
    const { pull, snapshot } = (await (await page.request.get('/api/health')).json()) as Record<string, object>;
    let said = pull;
    await page.route('**/api/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 200\n${eventOf('snapshot', snapshot)}${eventOf('pull', said)}`,
      }),
    );
    await open(page, '/');
    await begin(page);
    const told = page.getByText('pulling, 1,538 of 104,271').first();
    for (const stage of stages) {
      said = { ...pull, ...stage };
      if (stage.total) await expect(told).toBeVisible();
      else if (stage.running) await expect(page.getByText('looking for late changes').first()).toBeVisible();
      else await expect(page.getByText('looking for late changes')).toHaveCount(0);
      await page.waitForTimeout(200);
    }
    const { sum, moved } = await shiftsOf(page);
    expect(sum < MOST_SHIFT / 10 ? [] : [sum, ...moved]).toEqual([]);
  });
