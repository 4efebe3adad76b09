// Digests in the browser: the two ready ones, sending now, the document again, pausing, changing, and a page as PDF.
import { expect, type APIResponse, type Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { awake, open, testOnKeptPage as test } from './product.ts';

const item = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

async function expectPdf(answer: APIResponse): Promise<void> {
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
}

test('the ready digest is sent now, and its history opens the document again', async ({ page, complaints }) => {
  await open(page, '/digests');
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const title of ['Monday morning', 'Month']) await expect(item(page, title)).toContainText('next');
  await item(page, 'Monday morning').getByRole('button', { name: 'Send now' }).click();
  await expect(item(page, 'Monday morning')).toContainText(/last: \d{4}-W\d\d, sent/, { timeout: 120_000 });
  await page.getByRole('link', { name: 'Monday morning', exact: true }).click();
  const row = page.getByRole('region', { name: 'History' }).getByRole('row').nth(1);
  await expect(row).toContainText('everybody');
  await expect(row.getByRole('cell', { name: 'sent', exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  const address = await row.getByRole('link', { name: 'PDF' }).getAttribute('href');
  await expectPdf(await page.request.get(address ?? ''));
  expect(complaints).toEqual([]);
});

test('a digest is paused and goes on', async ({ page }) => {
  await awake(page, () => open(page, '/digests'));
  await item(page, 'Month').getByRole('button', { name: 'Pause' }).click();
  await expect(item(page, 'Month')).toContainText('paused');
  await awake(page, () => page.reload());
  await item(page, 'Month').getByRole('button', { name: 'Resume' }).click();
  await expect(item(page, 'Month')).toContainText('next');
});

test('what is changed is kept; what is wrong is told at its field, and nothing typed is lost', async ({ page }) => {
  await awake(page, () => open(page, '/digests/month'));
  await page.getByLabel('Repeats').selectOption('advanced (cron)');
  const cron = page.getByRole('textbox', { name: 'Cron' });
  await cron.fill('0 25 1 * *');
  await page.getByLabel('Paper').selectOption('Letter');
  await page.getByLabel('Hours that count').selectOption('Business hours');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Schedule:');
  await expect(cron).toHaveAttribute('aria-invalid', 'true');
  await expect(cron).toHaveAccessibleDescription(/hour/i);
  await expect(page.getByLabel('Paper')).toHaveValue('letter');
  await cron.fill('*/30 6 2 * *');
  await page.getByLabel('Mail address to tell').fill('owner@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. Next sent')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await awake(page, () => page.reload());
  await expect(page.getByLabel('Repeats')).toHaveValue('cron');
  await expect(cron).toHaveValue('*/30 6 2 * *');
  await expect(page.getByLabel('Paper')).toHaveValue('letter');
  await expect(page.getByLabel('Hours that count')).toHaveValue('business');
  await expect(page.getByLabel('Mail address to tell')).toHaveValue('owner@example.com');
});

test('changes that are not saved are not left without a question, nor saved over those of somebody else', async ({
  page,
}) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const schedule = { cron: '0 7 * * 1', timezone: 'UTC' };
  const data = { title: 'Two tabs', content: ['overview'], period: 'last_week', schedule, readers: [{ name: 'all' }] };
  expect((await page.request.put('/api/digests/two-tabs', { headers, data })).status()).toBe(200);
  await awake(page, () => open(page, '/digests/two-tabs'));
  const crumb = page.getByRole('main').getByRole('link', { name: 'Scheduled reports' });
  const title = page.getByLabel('Title');
  await title.fill('First tab');
  const asked: string[] = [];
  page.once('dialog', (dialog) => (asked.push(dialog.message()), void dialog.dismiss()));
  await crumb.click();
  const question = 'Your changes to this report are not saved. Leave without them?';
  await expect.poll(() => asked).toEqual([question]);
  // The same for an address that no page of the product is at.
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/api/health', textContent: 'elsewhere' });
    document.querySelector('main')?.append(link);
  });
  page.once('dialog', (dialog) => (asked.push(dialog.message()), void dialog.dismiss()));
  await page.getByRole('link', { name: 'elsewhere' }).click();
  await expect.poll(() => asked).toEqual([question, question]);
  await expect(title).toHaveValue('First tab');
  const other = { ...data, title: 'Second tab' };
  expect((await page.request.put('/api/digests/two-tabs', { headers, data: other })).status()).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('somebody has changed this report meanwhile');
  await expect(title).toHaveValue('First tab');
  await awake(page, () => page.reload());
  await expect(title).toHaveValue('Second tab');
  await title.fill('Third');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  // Once more: its own save does not stand in the way, and there is nothing left to ask about.
  await title.fill('Fourth');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await crumb.click();
  await expect(page).toHaveURL(/\/digests$/);
  await page.request.delete('/api/digests/two-tabs', { headers });
});

test('a report for two people about one group is made with days, a time and names', async ({ page }) => {
  await awake(page, () => open(page, '/digests/new'));
  await page.getByLabel('Title').fill('Sales, Mondays & Thursdays');
  // What a browser says of a name that it does not take.
  await expect(page.getByLabel('Short name')).toHaveAttribute('title', /small letters/i);
  await page.getByRole('checkbox', { name: 'Thu' }).check();
  await page.getByLabel('Time', { exact: true }).fill('06:15');
  await page.getByText('Limit to groups').first().click();
  await page.getByRole('group', { name: 'Limit to groups' }).getByLabel('Technical support').check();
  await page.getByLabel('Mail address', { exact: true }).fill('ann@example.com');
  // Written as a person does: the field is left by the press on the box, which is ticked already and stays so.
  const mail = page.getByLabel('mail, to recipients');
  await expect(mail).toBeChecked();
  await mail.click();
  await expect(mail).not.toBeChecked();
  await mail.click();
  await expect(mail).toBeChecked();
  await expect(page.getByText('this recipient gets no mail')).toBeVisible();
  await expect(page.getByText('a test can be sent when an admin has set a mail server')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Saved\. Next sent (Mon|Thu)/)).toBeVisible();
  await expect(page).toHaveURL(/\/digests\/sales-mondays-thursdays$/);
  const kept = async () =>
    ((await (await page.request.get('/api/digests/sales-mondays-thursdays')).json()) as { digest: object }).digest;
  expect(await kept()).toMatchObject({
    schedule: { cron: '15 6 * * 1,4' },
    filters: { group: [2] },
    readers: [{ name: 'ann@example.com', address: 'ann@example.com' }],
  });
  // Who gets a report already is picked by name.
  await awake(page, () => page.goto('/digests/month'));
  await page.getByLabel('Add a person').selectOption('ann@example.com');
  await expect(page.getByRole('group', { name: 'Recipient 2' }).getByLabel('Mail address')).toHaveValue(
    'ann@example.com',
  );
  await expect(page.getByLabel('mail, to recipients')).toBeChecked();
  await awake(page, () => page.goto('/digests/sales-mondays-thursdays'));
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
  await expect(page).toHaveURL(/\/digests$/);
});

test('several recipients are written with commas or pasted as lines, and may all see what the first may', async ({
  page,
}) => {
  await open(page, '/digests/new');
  await expectAccessible(page);
  const recipient = (place: number) => page.getByRole('group', { name: `Recipient ${place}` });
  const address = (place: number) => recipient(place).getByLabel('Mail address');
  await recipient(1).getByText('Limit to groups').click();
  await recipient(1).getByLabel('Technical support').check();
  await address(1).fill('ann@example.com, Bob@example.com');
  await address(1).press('Tab');
  await expect(address(1)).toHaveValue('ann@example.com');
  await expect(address(2)).toHaveValue('Bob@example.com');
  await expect(recipient(2).getByLabel('Technical support')).toBeChecked();
  await expect(page.getByLabel('mail, to recipients')).toBeChecked();
  await address(2).evaluate((it) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'Bob Ray <Bob@example.com>\r\ncid@example.com\ndee@example.com\n');
    it.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(address(4)).toHaveValue('dee@example.com');
  await expect(page.getByRole('group', { name: /^Recipient \d$/ })).toHaveCount(4);
  await expectFits(page);
});

test('the form fits however long the name of somebody who could be added is', async ({ page }) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const readers = [{ name: 'Office of the deputy head of support '.repeat(3).trim(), address: 'office@example.com' }];
  const schedule = { cron: '0 7 * * 1', timezone: 'UTC' };
  const data = { title: 'Long', content: ['overview'], period: 'last_week', schedule, readers };
  const made = await page.request.put('/api/digests/long', { headers, data });
  expect(made.status(), await made.text()).toBe(200);
  await awake(page, () => open(page, '/digests/month'));
  await expect(page.getByLabel('Add a person')).toBeVisible();
  await expectFits(page);
  await page.request.delete('/api/digests/long', { headers });
});

test('a page is a PDF too, with the filters that it has', async ({ page }) => {
  await open(page, '/queue?preset=7d');
  const link = page.getByRole('link', { name: /as PDF, with these filters/ });
  await expect(link).toHaveAttribute('href', /\/api\/dashboards\/queue\.pdf\?.*from=/);
  await expectPdf(await page.request.get((await link.getAttribute('href')) ?? ''));
});
