// The port as a browser's neighbours see it: other sites' pages get nothing of ours, files stay cached, odd addresses are no error.
import { expect } from '@playwright/test';
import { test } from './product.ts';

const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test('a page is no picture for another site, but a link to it is followed', async ({ request }) => {
  for (const address of ['/', '/queue', '/queue/__data.json', '/favicon.svg', '/api/metrics'])
    expect([address, (await request.get(address, { headers: image })).status()]).toEqual([address, 403]);
  expect((await request.get('/queue', { headers: link })).status()).toBe(200);
});

test('pages and files are protected, and files of a build are kept for ever', async ({ request }) => {
  const page = await request.get('/');
  const [script = ''] = /\/_app\/immutable\/[\w./-]+\.js/.exec(await page.text()) ?? [];
  const file = await request.get(script);
  expect([file.status(), file.headers()['cache-control']]).toEqual([200, 'public,max-age=31536000,immutable']);
  for (const answer of [page, file, await request.get('/nothing'), await request.get('/favicon.svg')]) {
    const { 'cache-control': control, ...headers } = answer.headers();
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(control).toMatch(answer === file ? /immutable/ : /no-store|private, no-cache/);
  }
});

test('names that no address can hold as they are lead where they should', async ({ request }) => {
  for (const name of ['日本', '\u0000', '/x/', 'a/b?c#d', '100%', '__proto__']) {
    const turned = await request.get(`/agent/x?agent=${encodeURIComponent(name)}`, { maxRedirects: 0 });
    expect([name, turned.status()]).toEqual([name, 307]);
    expect(turned.headers().location).toContain(encodeURIComponent(name));
  }
});
