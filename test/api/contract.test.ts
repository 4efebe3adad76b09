// The contract: every endpoint has a route and every route is an endpoint, and answers keep what it promises.
import { expect, test } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import { endpointAt, expectPromised } from './promised.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const api = promisedApi(apiDeps(null));

/** An address that a route of the router answers; its patterns name the ends of files. */
const sample = (path: string): string =>
  path
    .replace(':file{.+\\.csv}', 'x.csv')
    .replace(':file{preview\\.(?:pdf|csv|xlsx)}', 'preview.pdf')
    .replace(':file{[a-z_-]+\\.pdf}', 'x.pdf')
    .replaceAll(/:\w+/g, 'x');

test('every endpoint has a route, and every route is an endpoint', () => {
  const routes = api.routes.filter(({ method, path }) => method !== 'ALL' && !/\*|\/(openapi\.json|docs)$/.test(path));
  const found = routes.map(({ method, path }) => ({
    route: `${method} ${path}`,
    endpoint: endpointAt(method, sample(path)),
  }));
  expect(found.filter(({ endpoint }) => !endpoint).map(({ route }) => route)).toEqual([]);
  const answered = new Set(found.map(({ endpoint }) => endpoint));
  expect(contract.filter((endpoint) => !answered.has(endpoint)).map(({ method, path }) => `${method} ${path}`)).toEqual(
    [],
  );
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
