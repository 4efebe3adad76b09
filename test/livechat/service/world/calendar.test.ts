// Local days of the account, also those on which the clocks change.
import { describe, expect, it } from 'vitest';
import { createCalendar, instantAt, wallSeconds } from '../../../../livechat/service/world/calendar.ts';
import { simulated } from './simulated.ts';

describe.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['America/Havana', '2026-03-08', 23],
  ['America/Havana', '2026-11-01', 25],
  ['America/New_York', '2026-11-01', 25],
  ['Asia/Kathmandu', '2026-03-29', 24],
])('in %s on %s', (zone, date, hours) => {
  const day = createCalendar(zone, date)(0);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });

  it('the day is as long as its clocks say', () => {
    expect(day.end - day.start).toBe(hours * 3600);
  });

  it('the wall clock agrees with the platform at every quarter of an hour', () => {
    for (let at = day.start; at < day.end; at += 900) {
      const shown = new Date(wallSeconds(day, at) * 1000).toISOString().slice(11, 19);
      expect(shown).toBe(clock.format(at * 1000));
    }
  });

  it('an instant found by wall clock shows that wall clock, unless the clocks skip it', () => {
    for (let wall = 4 * 3600; wall < 86_400; wall += 900) expect(wallSeconds(day, instantAt(day, wall))).toBe(wall);
  });

  it('all chats of a simulated day start on that local date', () => {
    const local = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
    for (const { chats, date: on } of simulated(4, 3, zone, date).days) {
      expect(new Set(chats.map((chat) => local.format(chat.started * 1000)))).toEqual(new Set([on]));
    }
  });
});
