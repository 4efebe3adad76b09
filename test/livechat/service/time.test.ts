// Time that is never summed twice: chatting time, availability and chats open at once.
import { describe, expect, it } from 'vitest';
import type { LoginStatus, StatusInterval } from '#service/records.ts';
import { ann, at, bob, chat, tinyAccount } from './tiny.ts';

const day = '2026-05-04';
const one = `date_from=${day}&date_to=${day}`;
const on = (from: string, to: string) => chat(`${day}T${from}:00Z`, `${day}T${to}:00Z`);

describe('chatting time', () => {
  it('is the union of chats, in hours also at hour grouping', async () => {
    const chats = [on('10:00', '10:30'), on('10:15', '10:45'), on('10:45', '11:15'), on('12:00', '12:00')];
    const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats });
    const hours = await ask('chatting_time', one);
    expect([hours['10:00'], hours['11:00'], hours['12:00']]).toEqual([{ hours: 1 }, { hours: 0.25 }, { hours: 0 }]);
    expect((await ask('chatting_time', `${one}&group_by=day`))[day]).toEqual({ hours: 1.25 });
  });
  it('is cut at midnight and includes chats begun days before the range', async () => {
    const { ask } = tinyAccount({
      now: '2026-05-09T00:00:00Z',
      chats: [
        chat('2026-05-01T22:00:00Z', '2026-05-04T02:00:00Z'),
        chat('2026-05-03T00:00:00Z', '2026-05-03T00:01:00Z'),
      ],
    });
    expect((await ask('chatting_time', `${one}&group_by=day`))[day]).toEqual({ hours: 2 });
    expect(await ask('chatting_time', 'date_from=2026-05-01&date_to=2026-05-03')).toEqual({
      '2026-05-01': { hours: 2 },
      '2026-05-02': { hours: 24 },
      '2026-05-03': { hours: 24 },
    });
  });
  it('of an agent takes whole chats, also before a transfer', async () => {
    const shared = {
      ...on('10:00', '11:00'),
      agents: [
        { display_name: 'Ann', email: ann },
        { display_name: 'Bob', email: bob },
      ],
    };
    const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [shared] });
    expect((await ask('chatting_time', `${one}&group_by=day&agent=${bob}`))[day]).toEqual({ hours: 1 });
  });
});

describe('availability', () => {
  const interval = (
    agent: string,
    from: string,
    to: string,
    status: LoginStatus = 'accepting chats',
  ): StatusInterval => ({
    agent,
    status,
    from: at(`${day}T${from}:00Z`),
    to: at(`${day}T${to}:00Z`),
  });
  const { ask } = tinyAccount({
    now: `${day}T12:30:00Z`,
    statuses: [
      interval(ann, '08:00', '09:00'),
      interval(ann, '09:00', '10:00', 'not accepting chats'),
      interval(bob, '08:30', '09:30'),
      interval(bob, '12:00', '16:00'),
    ],
  });
  const hours = async (query = '') => (await ask('availability', `${one}&group_by=day${query}`))[day]!.hours;
  it('is a union, and what is still open counts until now', async () => {
    expect(await hours()).toBe(2);
  });
  it('of a group is that of its current members, of group 0 that of everybody', async () => {
    expect(await Promise.all([hours('&group=1'), hours('&group=2'), hours('&group=0'), hours('&group=9')])).toEqual([
      2, 1.5, 2, 0,
    ]);
    expect(await Promise.all([hours(`&agent=${ann}`), hours(`&agent=${ann}&group=2`)])).toEqual([1, 0]);
  });
  it('is minutes at hour grouping', async () => {
    const each = await ask('availability', one);
    expect([each['08:00'], each['09:00'], each['12:00'], each['13:00']]).toEqual([
      { hours: 60 },
      { hours: 30 },
      { hours: 30 },
      { hours: 0 },
    ]);
  });
});

describe('chats at once', () => {
  it('do not overlap when one ends as the other starts; one of no length counts for its second', async () => {
    const chats = [
      on('10:00', '10:30'),
      on('10:30', '11:00'),
      chat(`${day}T10:15:00Z`, `${day}T10:15:00Z`),
      chat(`${day}T10:15:01Z`, `${day}T10:15:01Z`),
    ];
    const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats });
    const answer = await ask('agents_occupancy', 'weekday=mon');
    expect([answer[`${day} 10:00`], answer[`${day} 11:00`], answer[`${day} 09:00`]]).toEqual([2, 0, 0]);
  });
  it('include chats open from before, over midnight', async () => {
    const { ask } = tinyAccount({
      now: '2026-05-05T00:00:00Z',
      chats: [chat('2026-05-03T23:00:00Z', `${day}T01:00:01Z`)],
    });
    const answer = await ask('agents_occupancy', 'weekday=mon');
    expect([0, 1, 2].map((hour) => answer[`${day} 0${hour}:00`])).toEqual([1, 1, 0]);
  });
  it('are told for the last four such weekdays up to today, 96 hours with zeros to come', async () => {
    const { ask } = tinyAccount({ now: `${day}T12:00:00Z`, chats: [on('13:00', '14:00')] });
    const labels = Object.keys(await ask('agents_occupancy', 'weekday=mon'));
    expect([labels.length, labels[0], labels[95]]).toEqual([96, '2026-04-13 00:00', `${day} 23:00`]);
    expect((await ask('agents_occupancy', 'weekday=mon'))[`${day} 13:00`]).toBe(0);
    expect(Object.keys(await ask('agents_occupancy', 'weekday=tue'))[95]).toBe('2026-04-28 23:00');
  });
  it("are told in the account's zone unless another is asked for", async () => {
    const { ask } = tinyAccount({ zone: 'Asia/Tokyo', now: '2026-05-04T16:00:00Z', chats: [on('00:00', '00:10')] });
    expect((await ask('agents_occupancy', 'weekday=mon'))[`${day} 09:00`]).toBe(1);
    expect(Object.keys(await ask('agents_occupancy', 'weekday=tue'))[95]).toBe('2026-05-05 23:00');
    expect((await ask('agents_occupancy', 'weekday=mon&timezone=UTC'))[`${day} 00:00`]).toBe(1);
  });
});
