// Periods: the wall clock of the asked zone, missing dates, groupings, and both switches of daylight-saving time.
import { describe, expect, it } from 'vitest';
import { reports } from '#contract/reports.ts';
import { ann, at, chat, tinyAccount } from './tiny.ts';

const counts = (answer: Record<string, { chats: number }>) =>
  Object.fromEntries(Object.entries(answer).flatMap(([label, { chats }]) => (chats > 0 ? [[label, chats]] : [])));

describe('a period', () => {
  const { ask } = tinyAccount({
    zone: 'Europe/Warsaw',
    now: '2026-02-10T12:00:00Z',
    chats: [
      chat('2026-01-29T22:59:59Z', '2026-01-30T01:00:00Z'),
      chat('2026-01-29T23:00:00Z', '2026-01-29T23:10:00Z'),
      chat('2026-02-03T08:00:00Z', '2026-02-03T08:10:00Z'),
    ],
  });

  it('holds a chat over midnight whole, on the day it started', async () => {
    expect(await ask('total_chats', 'date_from=2026-01-29&date_to=2026-01-30')).toEqual({
      '2026-01-29': { chats: 1 },
      '2026-01-30': { chats: 1 },
    });
  });
  it('lies in the zone that is asked for', async () => {
    expect(counts(await ask('total_chats', 'date_from=2026-01-29&date_to=2026-01-30&timezone=UTC'))).toEqual({
      '2026-01-29': 2,
    });
  });
  it('runs from the first day with any record to today when no dates are given', async () => {
    const labels = Object.keys(await ask('total_chats', ''));
    expect([labels[0], labels.at(-1), labels.length]).toEqual(['2026-01-29', '2026-02-10', 13]);
    expect(Object.keys(await ask('total_chats', 'timezone=Pacific/Auckland')).at(-1)).toBe('2026-02-11');
  });
  it('is an hour by default when one day is asked, also when only the defaults make it one day', async () => {
    expect(Object.keys(await ask('total_chats', 'date_from=2026-01-29&date_to=2026-01-29'))).toHaveLength(24);
    expect(Object.keys(await ask('total_chats', 'date_from=2026-02-10'))[23]).toBe('23:00');
  });
  it('is a day when hours of several days are asked, and a month also of one day', async () => {
    expect(Object.keys(await ask('total_chats', 'date_from=2026-01-29&date_to=2026-01-30&group_by=hour'))).toEqual([
      '2026-01-29',
      '2026-01-30',
    ]);
    expect(await ask('chat_ratings', 'date_from=2026-01-29&date_to=2026-01-29&group_by=month')).toEqual({
      '2026-01': { begin: '2026-01-29', end: '2026-01-29', bad: 0, good: 0, chats: 1 },
    });
  });
  it('is clipped to the asked days at month grouping only, the last to today when no end is asked', async () => {
    expect(await ask('chat_ratings', 'date_from=2026-01-30&group_by=month')).toEqual({
      '2026-01': { begin: '2026-01-30', end: '2026-01-31', bad: 0, good: 0, chats: 1 },
      '2026-02': { begin: '2026-02-01', end: '2026-02-10', bad: 0, good: 0, chats: 1 },
    });
    expect(await ask('chat_ratings', 'date_from=2026-01-30&date_to=2026-01-30&group_by=day')).toEqual({
      '2026-01-30': { bad: 0, good: 0, chats: 1 },
    });
    expect((await ask('total_chats', 'date_from=2026-01-30&group_by=month'))['2026-02']).toEqual({ chats: 1 });
  });
  it('is zero-filled in the future', async () => {
    expect((await ask('total_chats', 'date_from=2026-02-10&date_to=2026-02-12&group_by=day'))['2026-02-12']).toEqual({
      chats: 0,
    });
    expect((await ask('response_time', 'date_from=2026-02-12&date_to=2026-02-13'))['2026-02-13']).toEqual({
      avg_response_time: { count: 0, seconds: null },
    });
  });
  it('is refused when it ends before it begins, also after the defaults', async () => {
    await expect(ask('total_chats', 'date_from=2026-02-11')).rejects.toThrow(/400/);
    await expect(ask('total_chats', 'date_to=2026-01-28')).rejects.toThrow(/400/);
    expect(reports.total_chats.args.safeParse({ date_from: '2026-02-02', date_to: '2026-02-01' }).success).toBe(false);
    expect(reports.total_chats.args.safeParse({ date_from: '1999-12-31' }).success).toBe(false);
  });
});

describe('a switch of daylight-saving time', () => {
  const open = (from: string, to: string) => chat(from, to);
  it('leaves the skipped hour empty and the day 23 hours long (Europe/Warsaw, 29 March 2026)', async () => {
    const { ask } = tinyAccount({
      zone: 'Europe/Warsaw',
      now: '2026-04-01T00:00:00Z',
      chats: [
        open('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'),
        open('2026-03-29T01:00:00Z', '2026-03-29T01:00:10Z'),
      ],
    });
    const hours = await ask('chatting_time', 'date_from=2026-03-29&date_to=2026-03-29');
    expect(Object.keys(hours)).toHaveLength(24);
    expect([hours['01:00'], hours['02:00'], hours['03:00']]).toEqual([{ hours: 1 }, { hours: 0 }, { hours: 1 }]);
    expect(await ask('chatting_time', 'date_from=2026-03-28&date_to=2026-03-30')).toEqual({
      '2026-03-28': { hours: 11 },
      '2026-03-29': { hours: 23 },
      '2026-03-30': { hours: 14 },
    });
    expect(counts(await ask('total_chats', 'date_from=2026-03-29&date_to=2026-03-29'))).toEqual({ '03:00': 1 });
  });
  it('makes the doubled hour one cell of two hours (Europe/Warsaw, 25 October 2026)', async () => {
    const { ask } = tinyAccount({
      zone: 'Europe/Warsaw',
      now: '2026-10-28T00:00:00Z',
      chats: [
        open('2026-10-25T00:30:00Z', '2026-10-25T01:15:00Z'),
        open('2026-10-25T01:10:00Z', '2026-10-25T02:00:00Z'),
      ],
      statuses: [
        { agent: ann, status: 'accepting chats', from: at('2026-10-25T00:00:00Z'), to: at('2026-10-25T04:00:00Z') },
      ],
    });
    const day = 'date_from=2026-10-25&date_to=2026-10-25';
    expect(counts(await ask('total_chats', day))).toEqual({ '02:00': 2 });
    expect((await ask('chatting_time', day))['02:00']).toEqual({ hours: 1.5 });
    expect((await ask('availability', day))['02:00']).toEqual({ hours: 120 });
    expect((await ask('availability', 'date_from=2026-10-25&date_to=2026-10-26'))['2026-10-25']).toEqual({ hours: 4 });
    expect((await ask('agents_occupancy', 'weekday=sun'))['2026-10-25 02:00']).toBe(2);
  });
  it('is half an hour in Australia/Lord_Howe, both ways', async () => {
    // Forward on 4 October 2026 at 02:00 (15:30 UTC the day before), back on 5 April 2026 at 02:00 (15:00 UTC).
    const { ask } = tinyAccount({
      zone: 'Australia/Lord_Howe',
      now: '2026-11-01T00:00:00Z',
      chats: [
        open('2026-10-03T12:00:00Z', '2026-10-04T13:00:00Z'),
        open('2026-04-04T12:00:00Z', '2026-04-05T14:00:00Z'),
      ],
    });
    const forward = await ask('chatting_time', 'date_from=2026-10-04&date_to=2026-10-04');
    expect([forward['01:00'], forward['02:00'], forward['03:00']]).toEqual([
      { hours: 1 },
      { hours: 0.5 },
      { hours: 1 },
    ]);
    const back = await ask('chatting_time', 'date_from=2026-04-05&date_to=2026-04-05');
    expect([back['00:00'], back['01:00'], back['02:00']]).toEqual([{ hours: 1 }, { hours: 1.5 }, { hours: 1 }]);
  });
  it('does not disturb zones of half and quarter hours', async () => {
    const { ask } = tinyAccount({
      now: '2026-06-10T00:00:00Z',
      chats: [
        open('2026-06-01T18:14:59Z', '2026-06-01T18:20:00Z'),
        open('2026-06-01T18:30:00Z', '2026-06-01T18:40:00Z'),
      ],
    });
    const both = 'date_from=2026-06-01&date_to=2026-06-02';
    expect(counts(await ask('total_chats', `${both}&timezone=Asia/Kathmandu`))).toEqual({
      '2026-06-01': 1,
      '2026-06-02': 1,
    });
    expect(counts(await ask('total_chats', `${both}&timezone=Asia/Kolkata`))).toEqual({
      '2026-06-01': 1,
      '2026-06-02': 1,
    });
  });
});
