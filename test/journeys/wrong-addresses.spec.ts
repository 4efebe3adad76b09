// An address that asks for what is not there: every page says so where it is read, and its right neighbour says nothing.
import { expect, test, type APIRequestContext } from '@playwright/test';

const noGroup = 'The account has no group “99”, so nothing is counted for it.';
const noDate =
  '“2026-13-45” is not a date from the year 2000 on, such as 2026-11-03; the last 30 days are shown instead.';
const noAccount = 'There is no account “nobody”; default is shown instead.';
const unread = 'grup=“2” is not known here, so it is left out;';

const told: [address: string, ...sentences: string[]][] = [
  ['/?group=99&grup=2', noGroup, unread],
  ['/agents?grup=2', unread],
  ['/receipt/total_chats?group=99', noGroup],
  ['/receipt/total_chats?account=nobody', noAccount],
  ['/why/total_chats?group=99&grup=2', noGroup, unread],
  ['/why/total_chats?from=2026-13-45', noDate],
  ['/why/total_chats?timezone=Mars/Base', '“Mars/Base” is not a time zone; the account’s zone is shown instead.'],
  ['/why/total_chats?account=nobody&grain=second', noAccount, 'grain=“second” is not known, so it is left out;'],
  ['/targets?account=nobody', noAccount],
  [
    '/targets?group=99',
    'The address asks for something that is not here (group=99), and nothing in it narrows this page',
  ],
  ['/targets?from=2026-13-45&grup=2', 'something that is not here (from=2026-13-45, grup=2)'],
  ['/tv?group=99', noGroup],
  ['/tv?from=2026-13-45', 'The dates in the address are not understood; these slides have dates of their own.'],
  ['/tv?page=queue&from=2026-13-45', noDate],
  ['/tv?page=cue', 'page=“cue” is not known, so it is left out; there are overview, chats, queue,'],
  ['/tv?place=99&interval=7', 'place=“99” is not known', 'interval=“7” is not known'],
  ['/transcripts?survey=none', 'survey=none is not one of pre, post, comment'],
  ['/reconciliation?reason=none', 'Reason=none is not one of'],
];

const quiet = [
  '/?preset=7d&group=2&split=volume.group&compare=year',
  '/agents?sort=chats&order=asc&name=a&col=chats',
  '/receipt/total_chats?group=2',
  '/why/total_chats?measure=chats&split=group&at.group=2&grain=total&target=30&back=%2F',
  '/targets?preset=7d&group=2',
  '/tv?page=queue&place=2&interval=30&preset=7d',
  '/transcripts?query=refund&survey=pre&offset=50',
];

/** Sentences of a page that must not be missed. */
async function alertsOf(request: APIRequestContext, address: string): Promise<string[]> {
  const answer = await request.get(address);
  expect([address, answer.status()]).toEqual([address, 200]);
  const written = (await answer.text()).matchAll(/<p[^>]*role="alert"[^>]*>([^<]*)/g);
  return [...written].map(([, text = '']) => text.trim());
}

for (const [address, ...sentences] of told)
  test(`${address} says what is not there`, async ({ request }) => {
    const alerts = await alertsOf(request, address);
    for (const sentence of sentences) expect(alerts).toContainEqual(expect.stringContaining(sentence));
    expect(alerts).toHaveLength(sentences.length);
  });

test('what is there is no mistake', async ({ request }) => {
  for (const address of quiet) expect([address, await alertsOf(request, address)]).toEqual([address, []]);
});

test('an agent, a report and a snapshot that are not there are named so', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  for (const address of ['/agent/nobody@x.test', '/agent/amelia.hart@velora.example?agent=nobody@x.test']) {
    expect((await page.goto(address))?.status()).toBe(404);
    await expect(heading).toHaveText('The account has no agent “nobody@x.test”');
  }
  expect((await page.goto('/digests/nothing'))?.status()).toBe(404);
  await expect(heading).toHaveText('There is no such scheduled report');
  await page.goto('/operations?from_snapshot=nothing');
  await expect(page.getByRole('alert')).toHaveText('That snapshot is not kept any more. Choose one above.');
});
