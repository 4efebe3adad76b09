// Away from the desk: TV mode on a wall, and pages on paper.
import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { open, panel, test as testAlone, testOnKeptPage as test } from './product.ts';

test('TV mode shows one picture after the other without anything around, and Escape leaves', async ({ page }) => {
  await open(page, '/queue?preset=7d');
  await page.getByRole('link', { name: 'TV mode' }).click();
  await expect(page).toHaveURL(/\/tv\?preset=7d$/);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  // Four slides, each as old as the last pull; each page can be asked for whole.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Now');
  await expect(page.getByText(/, the last full hour$/)).toBeVisible();
  await expect(page.getByText(/^Last sync .+, (just now|.+ ago)$/)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/place=2/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('4 of 4')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Targets');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/targets\?preset=7d$/);
  await page.goto('/tv?page=tickets&place=2');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets');
  await expect(page.getByText(/^2 of [3-9]$/)).toBeVisible();
});

test('what the four slides say is large enough for five metres, and none of it is cut off', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const place of [1, 2, 3, 4]) {
    await page.goto(`/tv?place=${place}`);
    await expect(page.getByText('Simulated data')).toBeVisible();
    const small = await page.locator('main > :not(.controls)').evaluateAll((parts) =>
      parts
        .flatMap((part) => [...part.querySelectorAll('*')])
        .filter((it) => [...it.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim()))
        .filter((it) => !it.closest('[aria-hidden]'))
        .flatMap((it) => {
          const { right, bottom } = it.getBoundingClientRect();
          const isReadable = parseFloat(getComputedStyle(it).fontSize) >= 32 && right <= 1920 && bottom <= 1080;
          return isReadable ? [] : [it.textContent];
        }),
    );
    expect(small, `slide ${place}`).toEqual([]);
    if (place < 3) await expectAccessible(page);
  }
});

testAlone('pictures change by themselves after the chosen time, unless it is paused', async ({ page }) => {
  await page.clock.install();
  await page.goto('/tv?interval=10');
  await expect(page.getByText(/^1 of /)).toBeVisible();
  // What only scripts do says that they run.
  await expect(async () => {
    await page.getByRole('button', { name: 'Pause' }).press('Enter', { timeout: 1000 });
    await expect(page.getByRole('button', { name: 'Go on' })).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).focus();
  await page.clock.runFor(11_000);
  await expect(page.getByText(/^2 of /)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.clock.runFor(30_000);
  await expect(page.getByText(/^2 of /)).toBeVisible();
  await page.getByLabel('Each picture stays').selectOption('60');
  await expect(page).toHaveURL(/interval=60/);
});

test('on paper there are numbers and pictures in light colours, and nothing to press', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/queue?preset=7d');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('navigation')).toBeHidden();
  // A sheet is as narrow as a small screen, and says all the same what the numbers are of.
  await page.setViewportSize({ width: 794, height: 1123 });
  await expect(page.getByLabel('Compare with')).toBeVisible();
  await expect(page.getByText('More filters')).toBeHidden();
  await expect(page.locator('.menu').first()).toBeHidden();
  // A4 without its margins is 718 pixels wide.
  await expect(page.locator('.drawing:not(:has(svg))')).toHaveCount(0);
  const widthOf = async () => (await page.locator('.drawing svg').first().boundingBox())?.width ?? 0;
  await expect.poll(widthOf).toBeGreaterThan(620);
  expect(await widthOf()).toBeLessThanOrEqual(718);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
  // Back on the screen every picture is as wide as its frame again, and the page as the window.
  await page.setViewportSize({ width: 1440, height: 900 });
  const isAsWide = () =>
    page.evaluate(() => {
      const drawings = [...document.querySelectorAll('.drawing')].filter((drawing) => drawing.querySelector('svg'));
      const beyond = drawings.filter((it) => it.querySelector('svg')?.clientWidth !== it.clientWidth).length;
      return { drawn: drawings.length > 0, beyond, wide: document.documentElement.scrollWidth };
    });
  await expect.poll(isAsWide).toEqual({ drawn: true, beyond: 0, wide: 1440 });
});

test('the first sheet of the overview holds its figures and its first picture', async ({ page }) => {
  // A4 without its margins.
  const sheet = { width: 718, height: 1046 };
  await open(page, '/?preset=7d');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(sheet);
  const bottomOf = () => panel(page, 'Chats over time').evaluate((it) => it.getBoundingClientRect().bottom + scrollY);
  await expect.poll(bottomOf).toBeLessThanOrEqual(sheet.height);
});
