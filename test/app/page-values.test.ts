// A saved query on a board: which of its parameters the filters of the page fill, which keep their own value, and that the panel says so.
import { describe, expect, it } from 'vitest';
import { usedText } from '#dashboards/queries/used-words.ts';
import { nameIn } from '#lib/sql/parameters.ts';
import { valuesOn } from '#dashboards/queries/page-values.ts';

const account = {
  ...{
    id: 'default',
    timezone: 'UTC',
    since: '2026-01-01',
    simulated: false,
    other_groups: [],
    goals: [],
    variables: [],
  },
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Support' },
  ],
  agents: [{ login: 'a@x.test', name: 'Ann' }],
  ...{ tags: ['vip'], more_tags: false },
};
const page = { from: '2026-11-02', to: '2026-11-08', group: [], agent: [], tag: [], variable: [] };
const statement =
  'select chat_id from facts.chat_groups where started_at >= $from and started_at < $to::date + 1 and ($group is null or group_id = $group) limit $limit';
const saved = { from: '2026-01-01', to: '2026-01-31', group: 2, limit: 5 };
const query = { statement, parameters: saved };

const told = (chosen: object, asked = query) => {
  const used = valuesOn({ ...page, ...chosen }, asked);
  return [
    used.parameters,
    usedText(used, { of: 'page', locale: 'en-GB', nameOf: (kind, value) => nameIn(account, kind, value) }),
  ];
};
const range = { from: '2026-11-02', to: '2026-11-08' };

describe('on a board, a saved query has', () => {
  it('the range of the page, and the one chosen group', () => {
    expect(told({ group: ['1'] })).toEqual([
      { ...saved, ...range, group: 1 },
      'Range and group of this page. Its own limit: 5.',
    ]);
  });
  it('its own group where none is chosen, also where that is no value', () => {
    expect(told({})).toEqual([{ ...saved, ...range }, 'Range of this page. Its own group: Support, limit: 5.']);
    expect(told({}, { statement, parameters: { ...saved, group: null } as never })).toEqual([
      { ...saved, ...range, group: null },
      'Range of this page. Its own group: no value, limit: 5.',
    ]);
  });
  it('its own group where several are chosen, and says why', () => {
    expect(told({ group: ['1', '2'] })).toEqual([
      { ...saved, ...range },
      'Range of this page. Its own group: Support (it takes one, and 2 groups are chosen), limit: 5.',
    ]);
  });
  it('agent and tag of the page, whatever their parameters are called', () => {
    const asked = {
      statement: 'select $login, $tag, $group_id',
      parameters: { login: 'b@x.test', tag: 'x', group_id: 2 },
    };
    expect(told({ agent: ['a@x.test'], tag: ['vip'], group: ['1'] }, asked as never)).toEqual([
      { login: 'a@x.test', tag: 'vip', group_id: 1 },
      'Group, agent and tag of this page. Not narrowed by range.',
    ]);
  });
  it('no filter that it has no parameter for, and says which', () => {
    const chosen = { group: ['1'], agent: ['a@x.test'], tag: ['vip'], variable: ['plan:pro'] };
    expect(told(chosen)[1]).toBe(
      'Range and group of this page. Its own limit: 5. Not narrowed by agent, tag and variables.',
    );
    expect(told(chosen, { statement: "select '$group', 1 -- $from", parameters: {} } as never)).toEqual([
      {},
      'No filter of this page reaches it.',
    ]);
  });
  it.each([
    ['select $since', { since: '2026-11-02' }, 'First day of this page.'],
    ['select $started_to', { started_to: '2026-11-08' }, 'Last day of this page.'],
    ['select $start_date, $end_date', { start_date: '2026-11-02', end_date: '2026-11-08' }, 'Range of this page.'],
    ['select $since::text', {}, 'Its own since: not set. Not narrowed by range.'],
    ['select $ended_until', { ended_until: '2026-11-08' }, 'Last day of this page.'],
    ['select $rated_before', {}, 'Its own rated_before: not set.'],
    ['select $week', {}, 'Its own week: not set.'],
    // Two ranges: one of them may be the one before.
    [
      'select $a_from, $a_to, $b_from, $b_to',
      {},
      'Its own a_from: not set, a_to: not set, b_from: not set, b_to: not set.',
    ],
  ])('the days of the page in %j as %j', (text, parameters, sentence) => {
    expect(told({}, { statement: text, parameters: {} } as never)).toEqual([parameters, sentence]);
  });
  it('the day of the page where it is one, and else its own', () => {
    const asked = { statement: 'select $day', parameters: { day: '2026-01-05' } } as never;
    expect(told({ from: '2026-11-08' }, asked)).toEqual([{ day: '2026-11-08' }, 'Day of this page.']);
    expect(told({}, asked)).toEqual([
      { day: '2026-01-05' },
      'Its own day: 5 Jan 2026 (it takes one, and 7 days are chosen).',
    ]);
  });
  it('a long text of its own, cut', () => {
    const asked = { statement: 'select $word', parameters: { word: 'x'.repeat(500) } } as never;
    expect(told({}, asked)[1]).toBe(`Its own word: ${'x'.repeat(40)}…. Not narrowed by range.`);
  });
});
