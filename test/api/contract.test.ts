// The contract: every endpoint has a route and every route is an endpoint, and answers keep what it promises.
import { expect, test } from 'vitest';
import { createApi } from '#api/app.ts';
import { contract } from '#api/contract/contract.ts';
import { endpointAt, expectPromised } from './promised.ts';
import { apiDeps } from './deps.ts';

const api = createApi(apiDeps(null));

const sample = (path: string): string =>
  `/api${path
    .replace('{format}', 'pdf')
    .replace('{file}', 'volume.csv')
    .replaceAll(/\{\w+\}/g, 'overview')}`;

test('every endpoint has a route', async () => {
  const without: string[] = [];
  for (const { method, path } of contract) {
    const answer = await api.request(`http://127.0.0.1:3000${sample(path)}`, { method: method.toUpperCase() });
    await answer.body?.cancel();
    const text = answer.status === 404 ? await (await api.request(sample(path), { method })).text() : '';
    if (text.includes('there is no GET /') || text.includes(`there is no ${method.toUpperCase()} /`))
      without.push(path);
  }
  expect(without).toEqual([]);
});

test('every route is an endpoint of the contract', () => {
  const routes = api.routes.filter(({ method, path }) => method !== 'ALL' && !/\*|\/(openapi\.json|docs)$/.test(path));
  const unknown = routes.filter(({ method, path }) => {
    const named = path
      .replace(':file{.+\\.csv}', 'x.csv')
      .replace(/:file\{[^}]*pdf[^}]*\}/, 'x.pdf')
      .replaceAll(/:\w+/g, 'x');
    const preview = path.includes('preview') ? '/api/digests/x/preview.pdf' : named;
    return !endpointAt(method, preview);
  });
  expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(routes.length).toBeGreaterThan(contract.length);
});

test('no two endpoints are one', () => {
  const names = contract.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('an answer with a key that is not promised, or without one that is, is seen', () => {
  const view = { id: 'one', name: 'Mine', address: '/queue', created_at: '2026-05-12T09:00:00.000Z' };
  const check = (body: object) => () => expectPromised('GET', '/api/views', 200, JSON.stringify(body));
  expect(check({ views: [view] })).not.toThrow();
  expect(check({ views: [{ ...view, user: 'ann' }] })).toThrow();
  expect(check({ views: [{ ...view, name: undefined }] })).toThrow();
});
