// Targets and goals: set in a form, seen on the chart and in the tile, ended and removed; readable, and usable by keyboard and on a phone.
import { expect } from '@playwright/test';
import { expectAccessible, expectFits } from './accessible.ts';
import { open, panel, testOnKeptPage as test } from './product.ts';

test('a target is set, drawn, judged and ended; a goal says how it stands', async ({ page, complaints }) => {
  await open(page, '/targets');
  await expect(page.getByText('No target is set.')).toBeVisible();
  await expect(page.getByText('No goal is set.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Set a target' }).click();
  await page.getByLabel('What').selectOption({ label: 'Satisfaction (CSAT)' });
  await page.getByLabel('At least, in %').fill('85');
  await page.getByLabel('Valid from').fill('2026-01-01');
  await page.getByRole('button', { name: 'Save' }).click();
  const target = page.getByRole('listitem').filter({ hasText: 'at least 85%' }).first();
  await expect(target).toContainText(/met on \d+ of \d+ days|no day can be judged yet/);

  await page.getByRole('button', { name: 'Set a goal' }).click();
  await page.getByLabel('Number of chats').fill('0');
  await page.getByLabel('Number of chats').press('Enter');
  await expect(page.getByLabel('Number of chats')).toHaveValue('0');
  await page.getByLabel('Number of chats').fill('1000000');
  await page.getByRole('button', { name: 'Save' }).click();
  const goal = page.getByRole('listitem').filter({ hasText: '1,000,000 chats' });
  await expect(goal).toContainText('of 1,000,000 chats through');
  await expect(goal.getByRole('link', { name: 'The chats behind it' })).toBeVisible();
  await expectAccessible(page);

  await target.getByRole('link', { name: 'See the days' }).click();
  await expect(page).toHaveURL(/\/ratings\?.*#csat$/);
  await expect(panel(page, 'Satisfaction over time (CSAT)')).toContainText('Target at least 85%');
  await expect(page.locator('#csat-tile')).toContainText('Target at least 85%');
  await page.locator('#csat .drawing').first().scrollIntoViewIfNeeded();
  await expect(page.locator('#csat .drawing svg').first()).toBeVisible();

  // Something else answers in place of the API: a page then says so, and draws no target.
  await page.route('**/api/targets/days*', (route) => route.fulfill({ contentType: 'text/html', body: 'a proxy' }));
  await page.route('**/api/metrics/*', (route) => route.fulfill({ contentType: 'application/json', body: '' }));
  await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
  await expect(page.getByRole('alert').filter({ hasText: 'Targets could not be loaded' })).toBeVisible();
  await expect(panel(page, 'How waits ended')).toContainText('The server gave no usable answer (200).');
  await page.getByRole('link', { name: 'Targets', exact: true }).first().click();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByRole('alert')).toContainText('Which days met the targets could not be loaded.');
  await page.unrouteAll();

  // On a TV of one group the target of all chats does not count, and nobody is told that there is none.
  await page.goto('/tv?place=4&group=1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Targets');
  await expect(page.getByText('No target is set for this group').first()).toBeVisible();

  await page.goto('/targets');
  await expectFits(page);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'End from today on' }).click();
  await expect(page.getByText(/no target from .* on/).first()).toBeVisible();
  await goal.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No goal is set.')).toBeVisible();
  await page.getByText('History: 2 entries').click();
  await expect(page.getByText(/^set by whoever sat at this machine on /).first()).toBeVisible();
  for (const left of [1, 0]) {
    await page
      .getByRole('button', { name: /^Remove ?: / })
      .first()
      .click();
    await expect(page.getByRole('button', { name: /^Remove ?: / })).toHaveCount(left);
  }
  await expect(page.getByText('No target is set.')).toBeVisible();
  expect(complaints).toEqual([]);
});
