// Text of others stays text: an account whose names, messages, tags and comments are markup, scripts, formulas, emoji or run right to left.
import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { chat, staff, ticket } from '../livechat/service/tiny.ts';
import { partOf } from '../whole.ts';
import { startSecond } from './second.ts';
import { pages, settled, whole, testOnKeptPage as test } from './product.ts';

const image = '<img src=x onerror="window.hit=1">';
const script = '</script><script>window.hit=1</script>';
const bold = '"><b class="injected">bold</b>';
const arabic = 'مرحبا \u202egnihtyreve';
const emoji = '👩‍👩‍👧‍👦 日本語';
const formula = '=cmd|calc!A1';
const texts = [image, script, bold, arabic, emoji, formula];

/** What logins begin with: a link to an agent must lead there. */
const logins = ['', '/', '50%/', '?a=b#c', '\\', '+ &'];

const HOUR = 3600;
const now = Math.floor(Date.now() / 1000);
const iso = (second: number) => new Date(second * 1000).toISOString();
const agents = texts.map((name, index) => ({
  ...staff.agents[0]!,
  ...{
    login: `${logins[index]}agent${index}@example.com`,
    name,
    groups: [1, 2],
    api_key: `key${index}`.padEnd(32, '0'),
  },
}));

function talk(index: number) {
  const [text, agent] = [texts[index % texts.length]!, agents[index % agents.length]!];
  const started = now - (26 + index) * HOUR;
  const base = chat(iso(started), iso(started + 600), {
    agents: [{ display_name: agent.name, email: agent.login }],
    groups: [1 + (index % 2)],
    events: [
      { at: started + 5, type: 'message', user_type: 'visitor', author_name: text, text: `${text} hello` },
      { at: started + 25, type: 'message', user_type: 'agent', author_name: agent.name, agent_id: agent.login, text },
    ],
    tags: [{ at: started + 60, tag: text }],
    ratings: [{ at: started + 650, rate: index % 3 ? 'rated_good' : 'rated_bad', comment: text }],
    postchat_survey: [
      { at: started + 660, key: `${image}?`, value: `${text} ${'and more of it '.repeat(3)}`, id: '1' },
    ],
    queue_seconds: 30,
    chat_start_url: 'javascript:window.hit=1',
    goals: [
      {
        ...{ id: 72, name: script, type: 'sales_tracker' as const, at: started + 300 },
        order: { id: text, description: text, price: '19.99', currency: index % 2 ? 'EUR' : '<b>' },
      },
    ],
  });
  return { ...base, visitor: { ...base.visitor, name: text, city: text, country: text } };
}

let second: Awaited<ReturnType<typeof startSecond>>;
test.beforeAll(async () => {
  const chats = Array.from({ length: 24 }, (_, index) => talk(index));
  const hostile = {
    ...staff,
    agents,
    groups: [staff.groups[0]!, { id: 1, name: image, language: 'en' }, { id: 2, name: arabic, language: 'en' }],
    tags: texts.map((name) => ({ ...staff.tags[0]!, name })),
    goals: [{ ...staff.goals[0]!, id: 72, name: script, type: 'sales_tracker' as const }],
  };
  const tickets = chats.slice(0, 6).map(({ started }, index) =>
    ticket(iso(started), {
      assignee: agents[index]!.login,
      ratings: [{ at: started + HOUR, rate: 'rated_good' }],
    }),
  );
  second = await startSecond([{ id: 'hostile', staff: hostile, records: { chats, tickets } }]);
});
test.afterAll(() => second.end());

/** What would be a part of a page if what others wrote were. */
const injected = '.injected, main img, main svg[onload], main a[href^="javascript" i]';

/** Nothing of what others wrote became a part of the page or ran. */
async function expectHarmless(page: Page, complaints: string[]): Promise<void> {
  await expect(page.locator(injected)).toHaveCount(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect(complaints).toEqual([]);
}

test.beforeEach(({ page, complaints }) => {
  page.on('dialog', () => complaints.push('a script ran'));
});

test('every page shows it as text, without scripts and with them', async ({ page, complaints }) => {
  const addresses = [...pages.map((it) => it.address), '/agents', '/reconciliation', '/tv', '/digests/new'];
  for (const address of addresses) {
    const sent = await page.request.get(second.url + address);
    const found = await page.evaluate(
      ([html, what]) => new DOMParser().parseFromString(html, 'text/html').querySelectorAll(what).length,
      [await sent.text(), injected] as const,
    );
    expect([address, sent.status(), found]).toEqual([address, 200, 0]);
  }
  await page.setViewportSize(whole);
  // As the scripts draw them, every third; with the drill all.
  for (const address of partOf(addresses, 3)) {
    await page.goto(second.url + address);
    await settled(page);
    await expectHarmless(page, complaints);
  }
  await page.goto(`${second.url}/transcripts`);
  for (const text of [image, script, bold, emoji])
    await expect(page.locator('main ol').getByText(text).first()).toBeVisible();
  await expectHarmless(page, complaints);
});

test('tables, tips, filters and the palette show it as text', async ({ page, complaints }) => {
  await page.goto(`${second.url}/ratings`);
  await settled(page);
  const shown = page.getByRole('region', { name: 'Agents by rating', exact: true });
  await shown.locator('.drawing').scrollIntoViewIfNeeded();
  await settled(page);
  const box = await shown.locator('.drawing').boundingBox();
  await shown.locator('.drawing').hover({ position: { x: (box?.width ?? 0) * 0.6, y: 40 } });
  await expect(shown.locator('.tip-title')).toBeVisible();
  expect(texts).toContain(await shown.locator('.tip-title').textContent());
  await shown.locator('details > summary', { hasText: 'Table' }).click();
  await expect(shown.getByRole('rowheader', { name: image, exact: true })).toBeVisible();
  for (const text of [image, bold]) await expect(page.locator('main ol').getByText(text).first()).toBeVisible();
  await page.getByLabel('Filters').locator('summary', { hasText: 'All tags' }).click();
  const tag = page.getByLabel('Filters').getByText(script, { exact: true }).filter({ visible: true });
  await expect(tag).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, date, agent, group, metric, export, theme' }).fill('<img');
  await expect(page.getByRole('option').filter({ hasText: image }).first()).toBeVisible();
  await expectHarmless(page, complaints);
});

test('a conversation, its facts and its title show it as text', async ({ page, complaints }) => {
  for (const text of [image, script, arabic]) {
    await page.goto(`${second.url}/transcripts?query=${encodeURIComponent(text)}`);
    await page.locator('main ol').getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(text);
    expect(await page.title()).toContain(text.slice(0, 12));
    await expect(page.getByText(`${text} hello`).first()).toBeVisible();
    await expectHarmless(page, complaints);
  }
});

test('each agent has a page, whatever the login, and so has a reader who comes from nowhere', async ({
  page,
  complaints,
}) => {
  await page.goto(`${second.url}/agents`);
  // With the tests those of an empty name, of a share of a hundred and of a backslash.
  for (const { login, name } of partOf(agents, 2)) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/agent/${login}`);
    await page.goBack();
    await expect(page).toHaveURL(`${second.url}/agents`);
  }
  const { status } = await fetch(
    `${second.url}/receipt/total_chats?grain=total&back=${encodeURIComponent('/agent/%')}`,
  );
  expect(status).toBe(200);
  await expectHarmless(page, complaints);
});

test('the page of an agent and a receipt show it as text', async ({ page, complaints }) => {
  await page.goto(`${second.url}/agents`);
  await page.getByRole('link', { name: image }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(image);
  await settled(page);
  await expectHarmless(page, complaints);
  await page.getByRole('region', { name: 'Chats', exact: true }).getByTitle('Why?').click();
  const why = page.getByRole('dialog', { name: 'Chats' });
  await expect(why.getByRole('heading', { name: 'Its chats' })).toBeVisible();
  await expectHarmless(page, complaints);
  await why.getByRole('link', { name: 'Receipt' }).click();
  await expect(page.getByRole('heading', { name: 'The chats behind it' })).toBeVisible();
  await expectHarmless(page, complaints);
});

test('files hold it as text: pictures escaped, formulas defused, the document whole', async ({ page }) => {
  await page.goto(`${second.url}/chats`);
  await settled(page);
  const shown = page.getByRole('region', { name: 'What chats were about', exact: true });
  await shown.locator('.menu summary').click();
  const [svg] = await Promise.all([page.waitForEvent('download'), shown.getByRole('button', { name: 'SVG' }).click()]);
  const drawn = readFileSync(await svg.path(), 'utf8');
  expect(drawn).toContain('&lt;img');
  expect(drawn).not.toMatch(/<img|<script|<b /);
  const [csv] = await Promise.all([page.waitForEvent('download'), shown.getByRole('link', { name: 'CSV' }).click()]);
  const table = readFileSync(await csv.path(), 'utf8');
  expect(table).toContain('"<img src=x onerror=""window.hit=1"">"');
  expect(table).not.toMatch(/(^|,)"?=cmd/m);
  const pdf = await page.request.get(`${second.url}/api/dashboards/ratings.pdf`);
  expect([pdf.status(), (await pdf.body()).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
});
