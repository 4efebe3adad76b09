// The contract: every endpoint has a route and every route is an endpoint, and answers keep what it promises.
import { expect, test } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import type { Endpoint } from '#api/contract/endpoint.ts';
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

/** Whose addresses are pages' own, are the vendor's, or come from a browser that is led through them. */
const tolerant = /^\/(reports|sign-on)\b|^\/(dashboards|boards)\/\{id\}.*\.pdf$/;
/** Nothing is to be asked of digests here: test/digests/api.test.ts does it. */
const elsewhere = /^\/digests\b/;
const narrowed = contract.filter(
  (endpoint): endpoint is Endpoint & { query: NonNullable<Endpoint['query']> } =>
    endpoint.query !== undefined && !tolerant.test(endpoint.path) && !elsewhere.test(endpoint.path),
);
const filled = ({ path }: Endpoint): string =>
  `http://127.0.0.1:3000/api${path
    .replace('{dashboard}/{file}', 'overview/volume.csv')
    .replace(/(metrics|receipts)\/\{id\}/, '$1/total_chats')
    .replaceAll(/\{\w+\}/g, 'x')}`;

interface Refused {
  error: { type: string; message: string; choices?: string[] };
}

test.each(narrowed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s refuses a parameter that it does not have, and names those that it has',
  async (_, endpoint) => {
    const { method, query } = endpoint;
    const names = Object.keys(query.shape).filter((name) => !name.includes('{'));
    for (const wrong of ['no_such', 'metrics']) {
      const answer = await api.request(`${filled(endpoint)}?${wrong}=1`, { method });
      const { error } = (await answer.json()) as Refused;
      expect([answer.status, error]).toEqual([400, expect.objectContaining({ type: 'bad_request' })]);
      expect(error.message).toContain(`no parameter ${wrong}, only `);
      expect(error.choices).toEqual(expect.arrayContaining(names));
    }
  },
);

test.each([
  ['/audit?limit=1&limit=2', 'limit is given 2 times, it takes one value'],
  ['/audit.csv?who=ann&who=bob', 'who is given 2 times, it takes one value'],
  ['/pulls?account=default&account=default', 'account is given 2 times, it takes one value'],
  ['/annotations?from=2026-05-01&from=2026-05-02', 'from is given 2 times, it takes one value'],
  ['/pulls?metric=total_chats', 'there is no parameter metric, only account, limit'],
  ['/audit?limit=abc', 'limit: must be a whole number from 1 to 500'],
  ['/audit?limit=501', 'limit: must be a whole number from 1 to 500'],
  ['/audit?limit=-1.5', 'limit: must be a whole number from 1 to 500'],
  ['/audit?before=x', 'before: must be the number of a row, a whole one from 1 on'],
  ['/audit?from=nonsense', 'from: must be a day that there is, written as 2026-11-01'],
  ['/audit?from=2026-11-30&to=2026-11-01', 'from=2026-11-30 is after to=2026-11-01'],
  ['/audit.csv?from=2026-11-30&to=2026-11-01', 'from=2026-11-30 is after to=2026-11-01'],
  ['/annotations?from=2026-11-30&to=2026-11-01', 'from=2026-11-30 is after to=2026-11-01'],
  ['/reconciliation?from=2026-11-30&to=2026-11-01', 'from=2026-11-30 is after to=2026-11-01'],
])('%s is refused: %s', async (path, message) => {
  const answer = await api.request(`http://127.0.0.1:3000/api${path}`);
  expect([answer.status, ((await answer.json()) as Refused).error.message]).toEqual([400, message]);
});

test.each([
  [
    '/sql',
    { statement: 'select 1', as_off: '2026-11-01' },
    'there is no field as_off, only statement, parameters, as_of',
  ],
  ['/sql/file', { statement: 'select 1', format: 'csv', limit: 1 }, 'there is no field limit, only statement'],
  ['/sql/file', { statement: 'select 1', format: 'ods' }, 'format: must be one of csv, json, xlsx, parquet'],
  ['/sql', {}, 'statement: must be given, as a text'],
  [
    '/sql',
    { statement: 'select $a', parameters: { a: [] } },
    'parameters.a: must be a text or a number or true or false or null',
  ],
  [
    '/sql',
    { statement: 'select $a', parameters: { $a: 1 } },
    'parameters.$a: must be the name of a parameter, without $',
  ],
  ['/sql', { statement: ' ; ' }, 'statement: there is no statement in it'],
])('the body of %s, %j, is refused: %s', async (path, body, words) => {
  const answer = await api.request(`http://127.0.0.1:3000/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { error } = (await answer.json()) as Refused;
  expect([answer.status, error.type, error.message]).toEqual([400, 'bad_request', expect.stringContaining(words)]);
});
