// The day to come is written in pieces before midnight, while others act; then the account is the same as if it had been written at midnight.
import { mkdtempSync, rmSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadAccount, renew, type ServiceAccount } from '#service/account.ts';
import { deleteAgent } from '#service/actions/agents.ts';
import { settleStaff } from '#service/first-staff.ts';
import { createMidnight, missingDays } from '#service/growth.ts';
import { openStore } from '#service/store.ts';
import { createWorld } from '#service/world/world.ts';
import { tries } from '../../chance.ts';
import { at } from './tiny.ts';

const firstDay = '2026-05-04';
const midnightAt = at('2026-05-06T00:00:00Z');
const world = createWorld({ seed: 3, zone: 'UTC', firstDay });
const owner = 'owner@example.com';

/** An account whose second day goes on. */
function opened(file: string) {
  const clock = { now: at('2026-05-05T23:00:00Z') };
  const store = openStore(file);
  const staff = settleStaff(store, world.staff, owner, 'key', clock.now);
  const account = loadAccount(store, staff, 'UTC', () => clock.now);
  for (const _ of missingDays(account, world, firstDay));
  return { account, clock, midnight: createMidnight(account, world, firstDay) };
}

function remove(account: ServiceAccount, name: string): void {
  const caller = { agent: owner } as Parameters<typeof deleteAgent>[0]['caller'];
  const asked = { account, name, caller, args: {}, sendMail: undefined };
  const shown = account.store.transact(() => deleteAgent(asked));
  renew(account);
  shown();
}

/** Everything that is told of an account at the end of its third day; numbers of chats are nobody's business. */
function toldOf({ chats, store, departures, displays, statuses, tickets, earliest }: ServiceAccount) {
  const all = [...chats].map(({ number, ...light }) => ({ light, body: store.body(number) }));
  return {
    chats: all,
    goals: [...chats.numbersWithGoals(0, Infinity)].map((number) => chats.of(number)!.id).sort(),
    open: [...chats.numbersOpen(midnightAt, midnightAt + 3600)].map((number) => chats.of(number)!.id),
    days: [...store.days()],
    departures: [...departures.between(0, Infinity)],
    displays: [...displays.between(0, Infinity)],
    statuses: [...statuses.agents()].sort().map((agent) => [agent, ...statuses.of(agent)]),
    tickets: [...tickets.between(0, Infinity)],
    settings: ['last_day', 'carry', 'begun_day'].map((name) => store.setting(name) ?? null),
    customers: store.live.rows('select id, created, name from customers order by id'),
    earliest,
  };
}

const reloaded = ({ store, zone, now, staff }: ServiceAccount): ServiceAccount =>
  loadAccount(store, staff, zone.name, now);

it('whatever happens meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  let files = 0;
  const step = fc.oneof(
    { arbitrary: fc.constant('a turn' as const), weight: 4 },
    ...[fc.constant('a removal' as const), fc.constant('a restart' as const)],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.boolean(), async (steps, is_awaited) => {
      const file = join(folder, `${++files}.sqlite`);
      const plain = opened(':memory:');
      let own = opened(file);
      own.clock.now = plain.clock.now = midnightAt - 300;
      // The whole of the day to come at once.
      const leaving = world.staff.agents.map(({ login }) => login).slice(0, 3);
      const gone: string[] = [];
      let preparing = own.midnight.prepare();
      for (const each of steps) {
        if (each === 'a turn') await breathe();
        if (each === 'a removal' && leaving.length > 0) {
          const name = leaving.pop()!;
          gone.push(name);
          remove(own.account, name);
        }
        if (each === 'a restart') {
          own.midnight.end();
          await preparing;
          own.account.store.close();
          own = opened(file);
          own.clock.now = midnightAt - 200;
          preparing = own.midnight.prepare();
        }
      }
      if (is_awaited) await preparing;
      own.clock.now = midnightAt;
      own.midnight.pass();
      await preparing;

      await plain.midnight.prepare();
      for (const name of gone) remove(plain.account, name);
      plain.clock.now = midnightAt;
      plain.midnight.pass();
      expect(toldOf(own.account)).toEqual(toldOf(plain.account));
      expect(toldOf(reloaded(own.account))).toEqual(toldOf(own.account));
      own.account.store.close();
      plain.account.store.close();
    }),
    { numRuns: tries(2, 100) },
  );
  rmSync(folder, { recursive: true });
});

it('and as if nothing had been written before midnight', async () => {
  const [ahead, late] = [opened(':memory:'), opened(':memory:')];
  ahead.clock.now = midnightAt - 601;
  await ahead.midnight.prepare();
  expect(ahead.account.store.setting('last_day')).toBe('2026-05-05');
  ahead.clock.now = midnightAt - 600;
  const preparing = ahead.midnight.prepare();
  // It is done in slices: it has only begun here.
  expect(ahead.account.store.setting('last_day')).toBe('2026-05-05');
  await preparing;
  expect(ahead.account.store.setting('last_day')).toBe('2026-05-06');
  for (const { clock, midnight } of [ahead, late]) {
    clock.now = midnightAt;
    midnight.pass();
  }
  expect(toldOf(ahead.account)).toEqual(toldOf(late.account));
  for (const { account } of [ahead, late]) account.store.close();
});
