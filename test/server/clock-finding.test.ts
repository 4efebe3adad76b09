// What the doctor and Operations say of a clock that is wrong, or was.
import { expect, test } from 'vitest';
import { clockSentence } from '#server/clock-finding.ts';

const now = Date.parse('2026-11-24T12:00:00Z') / 1000;
const noted = (
  clock_skew: number | null,
  ended_at = '2026-11-24T11:55:00Z',
  published_at: string | null = ended_at,
) => ({
  accounts: { one: { pull_id: 'p', ended_at, pulled_since: null, clock_skew } },
  published_at,
});

test.each([
  ['agrees', noted(0)],
  ['differs by minutes', noted(-590)],
  ['is not told', noted(null)],
  ['was set back by a second', noted(0, '2026-11-24T12:00:01Z')],
  ['has noted nothing', { accounts: {}, published_at: null }],
])('nothing of one that %s', (_, told) => expect(clockSentence(told, now)).toBeNull());

test.each([
  ['is ahead', noted(-90 * 86_400), /clock was 90 days ahead of that of the account one: set it/],
  ['is behind', noted(3 * 3600), /clock was 3 hours behind that of the account one: set it/],
  ['is a little ahead', noted(-700), /clock was 12 minutes ahead of/],
  [
    'was ahead',
    noted(-90 * 86_400, '2027-02-22T11:55:00Z'),
    /^the last pull and its snapshot are noted for 2027-02-22T11:55:00Z/,
  ],
  [
    'was ahead when it published',
    noted(0, '2026-11-24T11:55:00Z', '2027-02-22T11:55:00Z'),
    /are noted for 2027-02-22T11/,
  ],
])('what to do where it %s', (_, told, words) => expect(clockSentence(told, now)).toMatch(words));
