// By which clock something may go for good: sources say what time it is, and a machine that runs ahead of them is not believed.
import { describe, expect, test } from 'vitest';
import { objectionBy } from '#server/source-clock.ts';

const now = Date.parse('2026-11-24T12:00:00Z') / 1000;
const pulled = (clock_skew: number | null, ended_at = '2026-11-24T11:55:00Z') => ({
  ...{ pull_id: 'p', ended_at, pulled_since: null, clock_skew },
});

describe('this machine’s clock', () => {
  test.each([
    ['agrees', { one: pulled(0) }],
    ['is behind, which keeps longer', { one: pulled(90 * 86_400) }],
    ['is an hour ahead', { one: pulled(-3600) }],
    ['is told by one of several accounts', { one: pulled(null), other: pulled(2) }],
    ['was told a week ago', { one: pulled(0, '2026-11-17T12:00:00Z') }],
  ])('is believed when it %s', (_, accounts) => expect(objectionBy(accounts, now)).toBeUndefined());

  test.each([
    ['nobody has told', {}, /^no pull of the last 7 days has told/],
    ['a source does not say', { one: pulled(null) }, /^no pull of the last 7 days has told/],
    ['it was told long ago', { one: pulled(0, '2026-11-17T11:59:00Z') }, /^no pull of the last 7 days has told/],
    ['it was told in the future', { one: pulled(0, '2027-11-24T11:59:00Z') }, /^no pull of the last 7 days has told/],
    [
      'it is two days ahead',
      { one: pulled(-2 * 86_400) },
      /^this machine's clock is 2 days ahead of that of the account one/,
    ],
    [
      'it is ahead of one of two',
      { one: pulled(0), other: pulled(-90_000) },
      /clock is 1 day ahead of that of the account other/,
    ],
  ])('is not when %s', (_, accounts, words) => expect(objectionBy(accounts, now)).toMatch(words));
});
