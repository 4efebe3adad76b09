// The clock writes to a chat when something is due for it, and leaves it alone at every other second.
import { expect, it, vi } from 'vitest';
import { createTick } from '#service/live/tick.ts';
import { openEnded, type ChatRecord, type StatusInterval } from '#service/records.ts';
import { chatIdOf } from '#service/names.ts';
import { ann, at, bob, chat, tinyAccount } from '../tiny.ts';

const noon = at('2026-05-06T12:00:00Z');
const minute = 60;

/** An open chat that routing gave to Ann. */
function routed(own: Partial<ChatRecord> = {}): ChatRecord {
  const record = chat('2026-05-06T12:00:00Z', '2026-05-06T12:00:00Z', own);
  const customer = { id: 'customer', type: 'customer', visibility: 'all', present: true } as const;
  const agent = { id: ann, type: 'agent', visibility: 'all', present: true, is_routed: true } as const;
  const live = { chat_id: chatIdOf(record.visitor.id), members: [customer, agent], active_at: noon, last_event: 0 };
  return { ...record, ended: openEnded, live: { ...live, properties: {}, event_properties: {} } };
}

const accepting = (agent: string, until = noon + 86_400): StatusInterval => ({
  ...{ agent, status: 'accepting chats', from: noon - 60, to: until },
});

function world(statuses: StatusInterval[], chats: ChatRecord[]) {
  const { account, clock } = tinyAccount({ now: '2026-05-06T12:00:00Z', chats, statuses });
  const mistakes: unknown[] = [];
  const tick = createTick(account, (error) => mistakes.push(error));
  const written = vi.spyOn(account.store, 'transact');
  const stored = ({ id }: ChatRecord): ChatRecord => account.store.body(account.store.live.numberOf(id)!);
  return { account, clock, tick, written, stored, mistakes };
}

it('a chat becomes idle and ends at its minutes, and is written at no other second', () => {
  const chats = [routed(), routed()];
  const { clock, tick, written, stored, mistakes } = world([accepting(ann)], chats);
  const busy: number[] = [];
  for (let second = 0; second <= 61 * minute; second++) {
    clock.now = noon + second;
    tick();
    if (written.mock.calls.length > 0) busy.push(second);
    written.mockClear();
  }
  expect(busy).toEqual([20 * minute, 60 * minute]);
  expect(chats.map((each) => stored(each).ended)).toEqual([noon + 60 * minute, noon + 60 * minute]);
  expect(mistakes).toEqual([]);
});

it('an agent who goes offline loses the chat to a colleague at that second', () => {
  const own = routed();
  const { clock, tick, written, stored } = world([accepting(ann, noon + 90), accepting(bob)], [own]);
  for (clock.now = noon; clock.now < noon + 90; clock.now++) tick();
  expect(written).not.toHaveBeenCalled();
  tick();
  expect(written).toHaveBeenCalledOnce();
  const present = stored(own).live!.members.filter(({ type, present: is_there }) => type === 'agent' && is_there);
  expect(present.map(({ id }) => id)).toEqual([bob]);
});

it('a chat ends when the simulated account gives its customer a later one, even while nothing else is due', () => {
  const own = routed();
  const later = chat('2026-05-06T12:01:00Z', '2026-05-06T12:05:00Z', { visitor: own.visitor });
  const { clock, tick, written, stored } = world([accepting(ann)], [own, later]);
  for (clock.now = noon; clock.now < noon + 60; clock.now++) tick();
  expect(written).not.toHaveBeenCalled();
  tick();
  expect(stored(own).ended).toBe(noon + 60);
});

it('a waiting customer is written to once somebody accepts chats, or once the wait is over', () => {
  const busy_until = noon + 60 * minute + 1;
  const statuses: StatusInterval[] = [
    { ...accepting(bob, busy_until), status: 'not accepting chats' },
    { ...accepting(bob), from: busy_until },
  ];
  const { account, clock, tick, written } = world(statuses, []);
  for (const wait of [0, 30]) {
    const record = { ...routed(), started: noon + wait };
    const thread = { id: record.id, chat_id: record.live!.chat_id, state: 'queued' as const, created: noon + wait };
    account.store.live.putUncounted({ ...thread, record });
  }
  for (clock.now = noon; clock.now < noon + 60 * minute; clock.now++) tick();
  expect(written).not.toHaveBeenCalled();
  tick();
  expect(account.store.live.uncountedByState('queued')).toHaveLength(1);
  expect(account.store.live.uncountedByState('left')).toHaveLength(1);
  clock.now = busy_until;
  tick();
  expect(account.store.live.uncountedByState('queued')).toEqual([]);
  expect(account.chats).toHaveLength(1);
  expect(written).toHaveBeenCalledTimes(2);
});
