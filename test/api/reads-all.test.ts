// Where the accounts are those that other data folders publish: nothing is had of files, and what goes into a publication is shown, not set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rightNames } from '#auth/rights.ts';
import type { ApiDeps } from '#api/deps.ts';
import type { Me } from '#api/contract/sign-in.ts';
import type { Store } from '#warehouse/engine.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { account } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const plan = { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' } as const;
let engine: Store;
let deps: ApiDeps;
const ask = (path: string, sent: RequestInit = {}): Promise<Response> =>
  Promise.resolve(promisedApi(deps).request(`http://127.0.0.1:3000${path}`, sent));
const put = (body: unknown): RequestInit => ({
  method: 'PUT',
  headers: { origin: 'http://127.0.0.1:3000', 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

beforeAll(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z', variables: new Map([['plan', 'pro']]) }], 'Europe/Warsaw');
  await setVariables(engine, 'default', [plan]);
  const plain = apiDeps(engine);
  const snapshot = plain.snapshot();
  deps = { ...plain, readsAll: true, snapshot: () => snapshot && { ...snapshot, whole: null } };
});
afterAll(() => engine.close());

describe('a product that reads what other folders publish', () => {
  it('gives nobody the rights to files and to erasing, and tells that it does not publish', async () => {
    const me = (await (await ask('/api/me')).json()) as Me;
    expect(rightNames.filter((right) => !me.rights.includes(right)).toSorted()).toEqual(['erase', 'files']);
    expect(me.publishes).toBe(false);
  });

  it.each([
    ['/api/snapshots/current/file', 403],
    ['/api/sql/tables', 403],
    ['/api/chat-rows.parquet?from=2026-05-05&to=2026-05-05', 409],
  ])('refuses %s with the place where it is had', async (path, status) => {
    const answer = await ask(path);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining('several data folders')]);
  });

  it('answers in the zone that an account has now, also of a snapshot that it had another zone in', async () => {
    const path = '/api/metrics/total_chats?from=2026-05-05&to=2026-05-05&grain=total';
    let timezone = 'Europe/Warsaw';
    const api = promisedApi({ ...deps, accounts: () => deps.accounts().map((each) => ({ ...each, timezone })) });
    const asked = async (zone: string): Promise<unknown> => {
      timezone = zone;
      return (await api.request(`http://127.0.0.1:3000${path}`)).json();
    };
    expect(await asked('Europe/Warsaw')).toMatchObject({ timezone: 'Europe/Warsaw' });
    expect(await asked('Asia/Tokyo')).toMatchObject({ timezone: 'Asia/Tokyo' });
  });

  it('starts no pull', async () => {
    const sent = { method: 'POST', headers: { origin: 'http://127.0.0.1:3000' } };
    const answer = await ask('/api/pulls', sent);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('where the account is pulled')]);
  });

  it('shows variables and business hours as they were published, and takes none', async () => {
    expect(await (await ask('/api/variables')).json()).toMatchObject({
      ...{ variables: [plan], changed_at: null, in_snapshot: true },
    });
    const hours = { valid_from: null, timezone: 'UTC', week: { mon: ['09:00-17:00'] }, holidays: [] };
    for (const [path, body] of [
      ['/api/variables', { variables: [] }],
      ['/api/business-hours', { hours: [hours], groups: [] }],
    ] as const) {
      const answer = await ask(path, put(body));
      expect([answer.status, await answer.text()]).toEqual([
        409,
        expect.stringContaining('where the account is pulled'),
      ]);
    }
    expect(await (await ask('/api/business-hours')).json()).toMatchObject({
      ...{
        hours: [{ timezone: 'Europe/Warsaw', week: { sat: ['09:00-12:00', '13:00-17:30'] } }],
        source: 'folder',
        in_snapshot: true,
      },
    });
  });
});
