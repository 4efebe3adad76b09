// Settings: the installation gets a name, a colour and a logo; a value is refused and saved, one that the environment sets cannot be touched, and a mail server is tried and removed again.
import { expect } from '@playwright/test';
import { product_accent } from '#dashboards/brand.ts';
import { expectAccessible, expectFits } from './accessible.ts';
import { pngOf } from '../png.ts';
import { open, testOnKeptPage as test } from './product.ts';

test('opening the settings warns of nothing', async ({ page }) => {
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await open(page, '/settings');
  await expect(page.getByLabel('Accent colour from a picker')).toHaveValue(product_accent);
  expect(warnings).toEqual([]);
});

test('an installation has its own name, colour and logo until they are removed again', async ({ page, complaints }) => {
  await open(page, '/settings');
  const appearance = page.getByRole('region', { name: 'Appearance' });
  const name = appearance.getByLabel('Name');
  const accent = appearance.getByLabel('Accent colour', { exact: true });
  const shown = () =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--accent)';
      const parts = getComputedStyle(probe).color.match(/\d+/g) ?? [];
      probe.remove();
      return `#${parts.map((it) => Number(it).toString(16).padStart(2, '0')).join('')}`;
    });
  await name.fill('x'.repeat(41));
  await appearance.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(appearance.getByRole('alert')).toHaveText('Name: must be one line of 1 to 40 characters');
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  try {
    await name.fill('Nordwind Kundendienst für alle Regionen');
    await accent.fill('#ffd400');
    await expect(appearance.getByLabel('Accent colour from a picker')).toHaveValue('#ffd400');
    await expect(appearance.getByRole('group', { name: 'How the accent looks' })).toBeVisible();
    await appearance.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page).toHaveTitle('Settings · Nordwind Kundendienst für alle Regionen');
    await expect(page.getByRole('banner').getByText('Nordwind Kundendienst')).toHaveText(/für alle Regionen$/);
    expect(await shown()).toBe('#806a00');
    await expectAccessible(page);
    await expectFits(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    const drawn = (buffer: Buffer) => ({ name: 'logo.png', mimeType: 'image/png', buffer });
    await appearance.getByLabel('Logo').setInputFiles(drawn(pngOf(8, 8)));
    await appearance.getByRole('button', { name: 'Save the logo' }).click();
    await expect(appearance.getByRole('alert')).toHaveText(/^Logo must be 16 to 1024 pixels wide and high/);
    await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await appearance.getByLabel('Logo').setInputFiles(drawn(pngOf(480, 80)));
    await expect(appearance.getByRole('img', { name: 'The logo on dark' })).toHaveAttribute('src', /^data:image\/png/);
    await appearance.getByRole('button', { name: 'Save the logo' }).click();
    const logo = page.getByRole('banner').getByRole('img', { name: 'Nordwind Kundendienst für alle Regionen' });
    await expect.poll(() => logo.boundingBox()).toMatchObject({ width: 120, height: 20 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await shown()).toBe('#ffd400');
    await expectAccessible(page);
    await open(page, '/');
    await expect(page).toHaveTitle('Overview: Last 30 days · Nordwind Kundendienst für alle Regionen');
    await page.goto('/sign-in');
    await expect(page).toHaveTitle('Sign in · Nordwind Kundendienst für alle Regionen');
  } finally {
    await open(page, '/settings');
    await name.fill('');
    await accent.fill('');
    const removal = appearance.getByRole('button', { name: 'Remove the logo' });
    if (await removal.isVisible()) await removal.click();
    await expect(removal).toHaveCount(0);
    await appearance.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page).toHaveTitle('Settings · Chatledger');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await shown()).toBe('#0b5c96');
  }
});

test('settings are changed while the program runs, as far as the environment leaves them', async ({
  page,
  complaints,
}) => {
  await open(page, '/settings');
  // The schedule of the product that these journeys share is set by its environment.
  await expect(page.getByRole('combobox', { name: 'Schedule', exact: true })).toBeDisabled();
  await expect(page.getByText('Set by the environment, which wins').first()).toBeVisible();
  await expectAccessible(page);

  const kept = page.getByRole('region', { name: 'Snapshots and backups' });
  const space = kept.getByLabel('Space of kept snapshots');
  await space.fill('plenty');
  await kept.getByRole('button', { name: 'Save' }).click();
  await expect(kept.getByRole('alert')).toHaveText('Space of kept snapshots: must be a size like 10GB or 500MB');
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  await expect(space).toHaveValue('plenty');
  await space.fill('12GB');
  await kept.getByRole('combobox', { name: 'Backups', exact: true }).selectOption('Another schedule');
  await kept.getByLabel('As cron, in UTC').fill('15 1 * * *');
  await kept.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(kept.getByRole('status')).toHaveText('Saved. It takes effect with the next pull.');
  const row = page.getByRole('row').filter({ hasText: 'CHATLEDGER_SNAPSHOT_SPACE' });
  await expect(row).toContainText('12GB10GBthis page');
  await page.getByLabel('Only those that are set').check();
  await expect(page.getByRole('row').filter({ hasText: 'CHATLEDGER_LOG' })).toHaveCount(0);
  await expect(row).toBeVisible();

  const mail = page.getByRole('region', { name: 'Mail', exact: true });
  await expect(mail).toContainText('Save a mail server and a sender first; then a test can be sent.');
  await mail.getByLabel('Mail server').fill('smtp://ann:s3cret@127.0.0.1:9');
  await mail.getByRole('button', { name: 'Save' }).click();
  await expect(mail.getByRole('alert')).toHaveText('Mail server and Sender belong together: set Sender too');
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  await mail.getByLabel('Sender').fill('Reports <reports@example.com>');
  await mail.getByRole('button', { name: 'Save' }).click();
  await expect(mail.getByLabel('Mail server')).toHaveValue('');
  await expect(mail).toContainText('It is set. Leave this empty to keep it.');
  await mail.getByLabel('Mail address for a test').fill('ann@example.com');
  await mail.getByRole('button', { name: 'Send a test' }).click();
  await expect(mail).toContainText('the mail server cannot be reached');
  expect(await page.content()).not.toContain('s3cret');
  await expectAccessible(page);
  await expectFits(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  await mail.getByRole('button', { name: 'Remove it' }).click();
  await mail.getByLabel('Sender').fill('');
  await mail.getByRole('button', { name: 'Save' }).click();
  await expect(mail).toContainText('Save a mail server and a sender first; then a test can be sent.');
  await space.fill('');
  await kept.getByRole('combobox', { name: 'Backups', exact: true }).selectOption('Every day at 02:30 UTC');
  await kept.getByRole('button', { name: 'Save' }).click();
  await expect(kept.getByRole('status')).toContainText('Saved.');
  await expect(space).toHaveValue('10GB');
});
