// What a manager does in five minutes: eleven tasks, each from the overview, its steps counted and held to their bound.
// A step is one press, one choice or one thing written; the same walks are gone with the mouse, with the keyboard alone, or on a phone,
// where the menu, the filters and a tip are each a step of their own.
import { expect, type Locator, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { partOf } from '../whole.ts';
import { open, pages, panel, settled, test as testAlone, testOnKeptPage as test } from './product.ts';

const ways = ['mouse', 'keyboard', 'finger'] as const;
type By = (typeof ways)[number];

/** Goes through a task and counts what it takes. */
class Walk {
  steps = 0;
  readonly page: Page;
  readonly by: By;

  constructor(page: Page, by: By) {
    this.page = page;
    this.by = by;
  }

  async press(it: Locator): Promise<void> {
    this.steps += 1;
    if (this.by === 'mouse') return it.click();
    if (this.by === 'finger') return it.tap();
    await this.#reach(it);
    await it.press((await it.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
  }

  /** A page by its link; on a phone those that are not in the bar are in the menu. */
  async follow(name: string): Promise<void> {
    if (this.by !== 'finger') return this.press(link(this.page, name));
    const often = this.page.locator('nav.bar').getByRole('link', { name, exact: true });
    if ((await often.count()) > 0) return this.press(often);
    await this.press(this.page.getByText('More', { exact: true }));
    await this.press(this.page.getByRole('group', { name: 'All pages' }).getByRole('link', { name, exact: true }));
  }

  async choose(it: Locator, option: string): Promise<void> {
    this.steps += 1;
    if (this.by === 'keyboard') await this.#reach(it);
    await it.selectOption(option);
  }

  /** `end`: the key by which it is done with. */
  async write(it: Locator, text: string, end?: 'Enter' | 'Tab'): Promise<void> {
    this.steps += 1;
    if (this.by === 'keyboard') await this.#reach(it);
    await it.fill(text);
    if (end) await it.press(end);
  }

  /** A day of a chart: with the keyboard it is walked to, one step however many keys. */
  async pressDay(title: string, day: string): Promise<void> {
    this.steps += 1;
    const shown = panel(this.page, title);
    const name = new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const isThere = async (): Promise<boolean> =>
      (await this.page.locator('.tip-title').allTextContents()).some((text) => text.endsWith(name));
    if (this.by === 'keyboard') {
      const walk = shown.getByRole('link', { name: /arrow keys/ });
      await walk.focus();
      for (let at = 0; at < 60 && !(await isThere()); at++) await this.page.keyboard.press('ArrowLeft');
      expect(await isThere()).toBe(true);
      return this.page.keyboard.press('Enter');
    }
    const drawing = shown.locator('.drawing');
    await drawing.evaluate((it) => it.scrollIntoView({ block: 'center' }));
    await settled(this.page);
    const { x = 0, y = 0, width = 0, height = 0 } = (await drawing.boundingBox()) ?? {};
    if (this.by === 'finger') {
      // A tip that is shown covers what is beneath it: from the newest day to the left, and the tip stands to the right.
      for (let at = 0.96; at > 0.04 && !(await isThere()); at -= 0.02) {
        await this.page.touchscreen.tap(x + width * at, y + height * 0.8);
        await this.page.waitForTimeout(100);
      }
      expect(await isThere()).toBe(true);
      return this.press(
        shown
          .locator('.tip')
          .getByRole('link', { name: /^Why\?/ })
          .first(),
      );
    }
    for (let at = 0.04; at < 0.95 && !(await isThere()); at += 0.008)
      await this.page.mouse.move(x + width * at, y + height / 2);
    expect(await isThere()).toBe(true);
    await this.page.mouse.down();
    await this.page.mouse.up();
  }

  /** With Tab, sooner or later. */
  async #reach(it: Locator): Promise<void> {
    expect(await it.evaluate((element: HTMLElement) => element.tabIndex)).toBeGreaterThanOrEqual(0);
    await it.focus();
  }
}

interface Task {
  name: string;
  most: number;
  /** Steps that a phone adds. */
  onPhone: number;
  from?: string;
  go: (walk: Walk) => Promise<void>;
}

const day_ms = 86_400_000;
/** The newest chat with these words that somebody answered: the newest of all may be one that nobody did. */
async function answeredAmong(page: Page, query: string): Promise<string> {
  const { rows } = (await (await page.request.get(`/api/chats?query=${query}`)).json()) as {
    rows: { chat_id: string }[];
  };
  for (const { chat_id } of rows) {
    const { marks } = (await (await page.request.get(`/api/chats/${chat_id}`)).json()) as { marks: { what: string }[] };
    if (marks.some(({ what }) => what.includes('response'))) return chat_id;
  }
  throw new Error(`nobody answered any of ${rows.length} chats with ${query}`);
}

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true }).first();
const palette = (page: Page): Locator => page.getByRole('dialog').getByRole('combobox');

/** The last Tuesday that is over. */
function tuesday(): string {
  const yesterday = Date.now() - day_ms;
  return new Date(yesterday - ((new Date(yesterday).getUTCDay() + 5) % 7) * day_ms).toISOString().slice(0, 10);
}

/** Bytes of what is taken away. */
async function taken(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const tasks: Task[] = [
  {
    name: 'why was Tuesday low',
    most: 3,
    onPhone: 1,
    go: async (walk) => {
      const { page } = walk;
      await walk.follow('Ratings');
      await settled(page);
      await walk.pressDay('Satisfaction over time (CSAT)', tuesday());
      const why = page.getByRole('dialog');
      await expect(why.locator('.sentence')).toContainText('rated chats');
      await expect(why.getByRole('heading', { name: 'By group' })).toBeVisible();
      await walk.press(why.getByRole('listitem').filter({ hasText: 'rated bad' }).first().getByRole('link'));
      await expect(page.getByText(/^Chat 1 of \d+$/)).toBeVisible();
    },
  },
  {
    name: 'two groups’ first response by hour',
    most: 4,
    onPhone: 1,
    from: '/?preset=7d',
    go: async (walk) => {
      const { page } = walk;
      const filters = page.getByLabel('Filters');
      if (walk.by === 'finger') await walk.press(filters.getByText('More filters'));
      await walk.press(filters.locator('summary', { hasText: 'All groups' }));
      await walk.press(filters.getByRole('checkbox', { name: 'Sales', exact: true }));
      await expect(page).toHaveURL(/group=1/);
      await walk.press(filters.getByRole('checkbox', { name: 'Technical Support', exact: true }));
      await expect(page).toHaveURL(/group=1&group=2/);
      await walk.choose(page.getByLabel('Group by'), 'By hour');
      await expect(page).toHaveURL(/grain=hour/);
      const shown = panel(page, 'Time to the first response, by group');
      await shown.locator('.drawing').first().scrollIntoViewIfNeeded();
      await expect(shown.locator('.drawing svg')).toBeVisible();
      await expect(shown.getByText('Sales').first()).toBeVisible();
      await expect(shown.getByText('Technical Support').first()).toBeVisible();
    },
  },
  {
    name: 'which hours need people',
    most: 3,
    onPhone: 1,
    go: async (walk) => {
      const { page } = walk;
      await walk.follow('Concurrent chats and occupancy');
      for (const title of ['Agents online by weekday and hour', 'Concurrent chats per agent, by weekday and hour']) {
        await panel(page, title).locator('.drawing').first().scrollIntoViewIfNeeded();
        await expect(panel(page, title).locator('.drawing svg')).toBeVisible();
      }
    },
  },
  {
    name: 'from a phrase to the response time',
    most: 3,
    onPhone: 1,
    go: async (walk) => {
      const { page } = walk;
      await walk.follow('Transcripts');
      await walk.write(page.getByPlaceholder('Words in messages'), 'refund', 'Enter');
      await expect(page).toHaveURL(/query=refund/);
      const id = await answeredAmong(page, 'refund');
      await walk.press(page.locator(`main ol a[href*="/chat/${id}"]`).first());
      await expect(page).toHaveURL(/\/chat\//);
      await expect(page.getByText(/^(first )?response: \d/).first()).toBeVisible();
    },
  },
  {
    name: 'save and share',
    most: 4,
    onPhone: 0,
    from: '/queue?preset=7d&group=2',
    go: async (walk) => {
      const { page, by } = walk;
      await walk.press(page.locator('summary', { hasText: 'Saved views' }));
      await walk.write(page.getByLabel('Save this page with its filters'), `Support, ${by}`, 'Enter');
      const told = page.getByRole('status').filter({ hasText: `Support, ${by}` });
      await expect(told).toContainText('is saved');
      await walk.press(page.getByRole('button', { name: `Copy link: Support, ${by}` }));
      await expect(page.getByRole('status').filter({ hasText: 'is copied' })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/queue?preset=7d&group=2');
      const { views } = (await (await page.request.get('/api/views')).json()) as { views: { id: string }[] };
      for (const { id } of views) await page.request.delete(`/api/views/${id}`);
    },
  },
  {
    name: 'Monday PDF to two people, group 2',
    most: 8,
    onPhone: 1,
    go: async (walk) => {
      const { page, by } = walk;
      await walk.follow('Scheduled reports');
      await walk.press(page.getByRole('link', { name: 'New report' }));
      await walk.write(page.getByLabel('Title'), `Support on Mondays, ${by}`);
      await walk.press(page.locator('summary', { hasText: 'Limit to groups' }).first());
      await walk.press(page.getByRole('group', { name: 'Limit to groups' }).getByLabel('Technical Support').first());
      await walk.write(page.getByLabel('Mail address', { exact: true }), 'ann@example.com, bob@example.com', 'Tab');
      await walk.press(page.getByRole('button', { name: 'Save' }));
      await expect(page.getByText(/^Saved\. Next sent Mon/)).toBeVisible();
      const kept = await page.request.get(`/api/digests/support-on-mondays-${by}`);
      expect(((await kept.json()) as { digest: object }).digest).toMatchObject({
        schedule: { cron: '0 7 * * 1' },
        filters: { group: [2] },
        formats: ['pdf', 'xlsx'],
        readers: [{ address: 'ann@example.com' }, { address: 'bob@example.com' }],
      });
      await page.request.delete(`/api/digests/support-on-mondays-${by}`);
    },
  },
  {
    name: 'last month’s sales by agent in Excel',
    most: 3,
    onPhone: 0,
    go: async (walk) => {
      const { page } = walk;
      await walk.press(page.getByRole('button', { name: /^Go to/ }));
      await walk.write(palette(page), 'agents last month excel');
      const found = page.getByRole('option', { name: /^Agents, Last month, Excel/ });
      await expect(found).toHaveAttribute('aria-selected', 'true');
      const { name, bytes } = await taken(page, async () => {
        walk.steps += 1;
        await (walk.by === 'keyboard'
          ? page.keyboard.press('Enter')
          : walk.by === 'finger'
            ? found.tap()
            : found.click());
      });
      const last = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 0)).toISOString();
      expect(name).toMatch(/^default-agents-.*\.xlsx$/);
      expect(name).toContain(last.slice(0, 10));
      expect(Object.keys(unzipSync(bytes))).toContain('xl/workbook.xml');
      // This account is younger than last month: days that it has show what the columns are.
      const since = new Date(Date.now() - 7 * day_ms).toISOString().slice(0, 10);
      const [head] = (await (await page.request.get(`/api/agents.csv?from=${since}`)).text()).split('\r\n');
      expect(head).toMatch(/sales/i);
    },
  },
  {
    name: 'is today complete',
    most: 1,
    onPhone: 1,
    go: async (walk) => {
      const { page } = walk;
      await walk.follow('Operations');
      await expect(page.getByText(/The last pull ended|A pull is running/).first()).toBeVisible();
      await expect(page.getByText(/^The numbers go up to \d\d:\d\d;/)).toBeVisible();
      await expect(page.getByText('every question was answered and understood')).toBeVisible();
    },
  },
  {
    name: 'a release day',
    most: 4,
    onPhone: 0,
    from: '/?preset=7d',
    go: async (walk) => {
      const { page, by } = walk;
      const text = `Release 4.2, ${by}`;
      const day = new Date(Date.now() - 2 * day_ms).toISOString().slice(0, 10);
      const shown = panel(page, 'Chats over time');
      await shown.locator('.menu summary').scrollIntoViewIfNeeded();
      await walk.press(shown.locator('.menu summary'));
      await walk.press(shown.getByRole('button', { name: 'Notes on days' }));
      const dialog = page.getByRole('dialog', { name: 'Notes on days' });
      await walk.write(dialog.getByLabel('Day'), day);
      await walk.write(dialog.getByLabel('What happened'), text, 'Enter');
      await expect(dialog.getByRole('listitem').filter({ hasText: text })).toBeVisible();
      const notes = await page.request.get('/api/annotations?account=default');
      expect(await notes.json()).toMatchObject({ annotations: [expect.objectContaining({ day, text })] });
      await dialog.getByRole('button', { name: `Remove: ${text}` }).click();
      await expect(dialog.getByRole('listitem').filter({ hasText: text })).toHaveCount(0);
    },
  },
];

async function walked(page: Page, task: Task, by: By): Promise<void> {
  const { name, from = '/', go } = task;
  const most = task.most + (by === 'finger' ? task.onPhone : 0);
  const walk = new Walk(page, by);
  await open(page, from);
  await go(walk);
  test.info().annotations.push({ type: 'steps', description: `${name}: ${walk.steps} of at most ${most}` });
  expect([name, walk.steps <= most]).toEqual([name, true]);
}

/** Each task in one of the ways, by turns; with the drill in all. */
const isWalked = (place: number, by: By): boolean => partOf(ways, ways.length, place).includes(by);

for (const [place, task] of tasks.entries())
  for (const by of (['mouse', 'keyboard'] as const).filter((way) => isWalked(place, way)))
    test(`${task.name}, by ${by}: at most ${task.most} steps`, async ({ page, context, complaints }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await walked(page, task, by);
      // A number that an hour or a group does not have is refused with its reason, which its panel says.
      expect(complaints.filter((it) => !it.includes('status of 400'))).toEqual([]);
    });

test('everything is found by the palette, pages, panels, groups, agents and metrics, and it takes a task as it is said', async ({
  page,
}) => {
  await open(page, '/');
  const names = await namesOf(page);
  await page.keyboard.press('Control+k');
  const field = palette(page);
  for (const name of new Set(names)) {
    await field.fill(name);
    await expect(page.getByRole('option').filter({ hasText: name }).first()).toBeAttached();
  }
  const first = page.getByRole('dialog').getByRole('option').first();
  for (const [said, found] of [
    ['last month sales by agent excel', /^Agents, by agent, Last month, Excel/],
    ['sales by agent last month', /^Agents, by agent, Last month/],
    ['first response by hour', /^Time to the first response, by hour/],
    ['csat last tuesday', /^Satisfaction over time \(CSAT\), \d+ /],
    ['hours people', /^Agents online by weekday and hour/],
    ['refund', /^Transcripts with “refund”/],
  ] as const) {
    await field.fill(said);
    await expect(first).toHaveText(found);
  }
  await field.press('Enter');
  await expect(page).toHaveURL(/\/transcripts\?query=refund$/);
  await page.keyboard.press('Control+k');
  await field.fill('scheduled');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/digests$/);
});

/** Of one of each kind at least. */
async function namesOf(page: Page): Promise<string[]> {
  const { accounts } = (await (await page.request.get('/api/accounts')).json()) as {
    accounts: { groups: { name: string }[]; agents: { name: string }[] }[];
  };
  const { metrics } = (await (await page.request.get('/api/metrics')).json()) as { metrics: { title: string }[] };
  return [
    ...pages.flatMap(({ title, charts }) => [title, ...charts.slice(0, 1)]),
    ...accounts.flatMap(({ groups, agents }) => [...groups, ...agents.slice(0, 2)].map(({ name }) => name)),
    ...metrics.slice(0, 3).map(({ title }) => title),
  ];
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  testAlone('today is on the first screen: no step', async ({ page }) => {
    await open(page, '/');
    const today = page.getByRole('region', { name: /^Today so far/ });
    await expect(today.getByRole('link').first()).toBeInViewport();
    const { y = 0, height = 0 } = (await today.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(844 - 56);
  });

  for (const task of tasks.filter((_, place) => isWalked(place, 'finger')))
    testAlone(
      `${task.name}, by finger: at most ${task.most + task.onPhone} steps`,
      async ({ page, context, complaints }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await walked(page, task, 'finger');
        expect(complaints.filter((it) => !it.includes('status of 400'))).toEqual([]);
      },
    );
});
