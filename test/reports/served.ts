// The API over what was pulled from an embedded service: both answer the same questions, at the same standing moment.
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { basic } from '#etl/source.ts';
import { apiDeps } from '../api/deps.ts';
import type { Subject } from '../zones/agree.ts';
import { promisedApi } from '../api/promised-api.ts';

export const token = 'right-token';
export const asCaller = { authorization: `Bearer ${token}`, 'x-api-version': '2' };

/** The API of a subject. */
export const apiOf = ({ engine, zone, now, service }: Subject) =>
  promisedApi(
    apiDeps(engine, {
      clock: () => now * 1000,
      accounts: () => [{ id: 'default', timezone: zone, since: service.firstDay }],
      token,
    }),
  );

export type Api = ReturnType<typeof apiOf>;
export type Said = [status: number, body: unknown];

export const ours = async (api: Api, path: string): Promise<Said> => {
  const answer = await api.request(`http://127.0.0.1:3000/api${path}`, { headers: asCaller });
  return [answer.status, await answer.json()];
};

export const theirs = async ({ service }: Subject, path: string): Promise<Said> => {
  const headers = { authorization: basic('owner@example.com', 'ab'.repeat(16)) };
  const answer = await fetch(service.url + path, { headers });
  return [answer.status, await answer.json()];
};

/** Listens on a free port; the address of the API is a base URL for clients of the Reports API. */
export async function listening(api: Api): Promise<{ url: string; close(): Promise<void> }> {
  const server = createAdaptorServer({ fetch: api.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
