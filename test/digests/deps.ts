// A digestDeps for tests: a small account behind the digests, with a clock that the test moves.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Webhooks } from '#digests/channels/http.ts';
import { allowedHost } from '#network/reach.ts';
import type { DigestDeps } from '#digests/deps.ts';
import { digestFrom, type Digest } from '#digests/digest.ts';
import { createSending } from '#digests/sending.ts';
import { openStore } from '#digests/store.ts';
import type { Store } from '#warehouse/engine.ts';
import { second } from '../warehouse/account.ts';

export const monday = second('2026-05-11T07:00:00Z');

/** The week of 4 May, sent on Mondays at 07:00 UTC to one reader. */
export const digest = (differs: Partial<Record<keyof Digest, unknown>> = {}): Digest =>
  digestFrom({
    id: 'week',
    title: 'Week',
    content: ['overview/chats-tile', 'overview/volume'],
    period: 'last_week',
    schedule: { cron: '0 7 * * 1', timezone: 'UTC' },
    readers: [{ name: 'ann', address: 'ann@example.com' }],
    formats: ['csv'],
    channels: [{ kind: 'mail' }],
    ...differs,
  });

/** Webhooks that may reach these hosts besides public addresses. */
export const allowing = (...hosts: string[]): Webhooks => ({
  hosts: hosts.flatMap((host) => allowedHost(host) ?? []),
  setting: 'CHATLEDGER_WEBHOOK_HOSTS',
});

export interface TestDigestDeps extends DigestDeps {
  /** Unix seconds. */
  now: number;
  said: string[];
  pinned: string[];
}

/** `published` and `pulled` say how fresh the numbers are; `file` survives the program. */
export function digestDeps(
  engine: Store,
  digests: readonly Digest[],
  differs: Partial<DigestDeps> & { now?: number; file?: string; published?: string } = {},
): TestDigestDeps {
  const { now = monday + 60, file = ':memory:', published = '2026-05-11T06:55:00.000Z', ...rest } = differs;
  const snapshot = { id: '20260511-065500-000', published_at: published, engine };
  let count = 0;
  const store = openStore(new DatabaseSync(file), digests, monday - 3600, () => `secret-${++count}-of-sixteen`);
  const made: TestDigestDeps = {
    now,
    said: [],
    pinned: [],
    store,
    current: () => snapshot,
    open: () => Promise.resolve(snapshot),
    pins: {
      all: () =>
        Promise.resolve(Object.fromEntries(made.pinned.map((it) => [it.split(' ')[0], it.slice(it.indexOf(' ') + 1)]))),
      add: (id, reason) => Promise.resolve(void made.pinned.push(`${id} ${reason}`)),
      remove: (id) => Promise.resolve(void (made.pinned = made.pinned.filter((it) => !it.startsWith(`${id} `)))),
    },
    accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }],
    pulled_at: () => Date.parse(published),
    clock: () => made.now * 1000,
    folder: mkdtempSync(join(tmpdir(), 'digests-')),
    public_url: null,
    post: null,
    webhooks: allowing(),
    sending: createSending(),
    owner: { process: 1, began: 0, isAlive: () => false },
    log: (sentence) => void made.said.push(sentence),
    ...rest,
  };
  return made;
}
