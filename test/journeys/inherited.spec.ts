// An account in which everything is called like a member that all objects have, and ids are paths, markup and 100 kB long: it is shown like
// any other, no page is changed by it, and everything made of it is answered. `npm run drill:hostile` plays other sources like it.
import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { inherited } from '../dashboards/inherited.ts';
import { accountOf } from '../drills/hostile/account.ts';
import { oddId } from '../drills/hostile/modes.ts';
import { partOf } from '../whole.ts';
import { awake, pages, settled, whole, testOnKeptPage as test } from './product.ts';
import { startSecond } from './second.ts';

let long = '';
/** Of all chats. */
let ids: string[] = [];
let second: Awaited<ReturnType<typeof startSecond>>;
test.beforeAll(async () => {
  const account = accountOf(inherited, Math.floor(Date.now() / 1000));
  const [talk, ...others] = account.records.chats ?? [];
  const [line] = talk?.events ?? [];
  if (!talk || !line) throw new Error('the account has no line');
  long = talk.id;
  // The newest chat of each name, which a search finds first, has an id that can be an address.
  for (const [index, other] of others.slice(inherited.length).entries()) other.id = oddId(other.id, index);
  ids = [long, ...others.map(({ id }) => id)];
  talk.events = Array.from({ length: 2400 }, (_, index) => ({ ...line, text: `line ${index + 1}` }));
  second = await startSecond([{ id: 'names', ...account }]);
});
test.afterAll(() => second.end());

/** What all objects of the page have, and what their functions carry. */
const belongings = (page: Page) =>
  page.evaluate(() => {
    const names = Object.getOwnPropertyNames(Object.prototype);
    const carried = names.flatMap((name) => Object.keys(Object.prototype[name as 'toString']));
    return { names, carried, own: Object.keys(Object), enumerable: Object.keys(Object.prototype) };
  });

async function expectWhole(page: Page, complaints: string[]): Promise<void> {
  const { names, ...more } = await belongings(page);
  expect(names).not.toContain('__proto__');
  expect(names).toHaveLength(11);
  expect(more).toEqual({ carried: [], own: [], enumerable: [] });
  expect(complaints).toEqual([]);
}

test('every page is drawn, and no object of it gains a member', async ({ page, complaints }) => {
  await page.setViewportSize(whole);
  const addresses = [...pages.map((it) => it.address), '/agents', '/reconciliation', '/tv', '/digests/new'];
  // Every third; with the drill all.
  for (const address of partOf(addresses, 3, 1)) {
    await page.goto(second.url + address);
    await settled(page);
    await expectWhole(page, complaints);
  }
});

test('charts, tips and receipts name them as they are', async ({ page, complaints }) => {
  await page.goto(`${second.url}/chats`);
  await settled(page);
  const shown = page.getByRole('region', { name: 'What chats were about', exact: true });
  const drawing = shown.locator('.drawing');
  await drawing.scrollIntoViewIfNeeded();
  await settled(page);
  const box = await drawing.boundingBox();
  const told = new Set<string>();
  // What shows tips is loaded with the first of them.
  await drawing.hover({ position: { x: (box?.width ?? 0) * 0.5, y: 38 } });
  await expect(shown.locator('.tip-title')).toBeVisible();
  const title = shown.locator('.tip-title');
  // A busy machine shows a tip late: once more then.
  await expect(async () => {
    for (let y = 38; y < (box?.height ?? 0); y += 28) {
      await drawing.hover({ position: { x: (box?.width ?? 0) * 0.5, y } });
      if (await title.isVisible()) told.add((await title.textContent()) ?? '');
    }
    expect([...told].sort()).toEqual([...inherited].sort());
  }).toPass();
  const [svg] = await Promise.all([
    page.waitForEvent('download'),
    shown
      .locator('.menu summary')
      .click()
      .then(() => shown.getByRole('button', { name: 'SVG' }).click()),
  ]);
  const drawn = readFileSync(await svg.path(), 'utf8');
  for (const name of inherited) expect(drawn).toContain(`>${name}<`);
  await page.keyboard.press('Escape');
  await drawing.click({ position: { x: (box?.width ?? 0) * 0.5, y: 38 } });
  await expect(page).toHaveURL(/[?&]tag=/);
  expect(inherited).toContain(new URL(page.url()).searchParams.get('tag'));
  await settled(page);
  await shown.locator('summary', { hasText: 'Table' }).click();
  await shown.getByRole('cell').first().getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'The chats behind it' })).toBeVisible();
  expect(inherited).toContain(new URL(page.url()).searchParams.get('at.tag'));
  await expectWhole(page, complaints);
});

test('agents, filters, the palette, chats and searches know them', async ({ page, complaints }) => {
  for (const name of partOf(inherited, 3)) {
    await page.goto(`${second.url}/agent/${encodeURIComponent(name)}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await page.goto(`${second.url}/transcripts?query=${encodeURIComponent(`${name} hello`)}`);
    await page.locator('main ol').getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(page.getByText(`${name} hello`).first()).toBeVisible();
  }
  await awake(page, () => page.goto(`${second.url}/?tag=__proto__&agent=constructor`));
  await settled(page);
  for (const name of ['__proto__', 'constructor'])
    await expect(page.getByLabel('Filters').getByText(name).first()).toBeAttached();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, date, agent, group, metric, export, theme' }).fill('__proto');
  await expect(page.getByRole('option').filter({ hasText: '__proto__' }).first()).toBeVisible();
  await expectWhole(page, complaints);
});

test('a conversation of thousands of lines is shown in parts', async ({ page, complaints }) => {
  await page.goto(`${second.url}/chat/${long}`);
  await expect(page.getByText('Lines 1 to 1,000 of 2,400')).toBeVisible();
  await expect(page.getByText('line 1000', { exact: true })).toBeAttached();
  await expect(page.getByText('line 1001', { exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'Later lines' }).click();
  await expect(page.getByText('line 1001', { exact: true })).toBeAttached();
  await page.getByRole('link', { name: 'Later lines' }).click();
  await expect(page.getByText('Lines 2,001 to 2,400 of 2,400')).toBeVisible();
  await page.getByRole('link', { name: 'Earlier lines' }).click();
  await expect(page.getByText('Lines 1,001 to 2,000 of 2,400')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('documents and tables hold them, and the server answers as before', async ({ page }) => {
  for (const id of partOf(['chats', 'ratings', 'goals'], 3)) {
    const pdf = await page.request.get(`${second.url}/api/dashboards/${id}.pdf`);
    expect([pdf.status(), (await pdf.body()).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  }
  const csv = await page.request.get(`${second.url}/api/panels/chats/tags.csv`);
  const table = await csv.text();
  for (const name of inherited) expect(table).toContain(name);
  for (const { address } of pages) expect((await page.request.get(second.url + address)).status()).toBe(200);
});

test('nothing of a source with odd ids and names is lost, and every question about it is answered', async ({
  page,
}) => {
  const asked = async (address: string): Promise<number> => (await page.request.get(second.url + address)).status();
  const enc = encodeURIComponent;
  const listed = await page.request.get(`${second.url}/api/chats?limit=100`);
  const { rows } = (await listed.json()) as { rows: { chat_id: string }[] };
  expect(rows.map(({ chat_id }) => chat_id).sort()).toEqual([...ids].sort());
  const found: [address: string, status: number][] = [];
  // What is 100 kB long is no address.
  const named = ids
    .filter(({ length }) => length < 1000)
    .flatMap((id) => [`/api/chats/${enc(id)}`, `/chat/${enc(id)}`]);
  const made = ['csv', 'xlsx'].flatMap((kind) =>
    ['tags', 'countries'].map((panel) => `/api/panels/chats/${panel}.${kind}`),
  );
  const about = inherited.flatMap((name) => [
    ...['tag', 'agent', 'country'].map(
      (split) => `/api/receipts/total_chats?grain=total&split=${split}&at.${split}=${enc(name)}`,
    ),
    ...[`/api/chats?tag=${enc(name)}&limit=3`, `/api/metrics/total_chats?grain=total&tag=${enc(name)}`],
  ]);
  for (const address of [...named, ...made, ...about]) {
    const status = await asked(address);
    if (status !== 200) found.push([address, status]);
  }
  expect(found).toEqual([]);
  for (const name of inherited) expect(await asked(`/api/metrics/total_chats?${enc(name)}=1`)).toBeLessThan(500);
});
