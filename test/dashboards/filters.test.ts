// Filters in the address: defaults, presets, wrong input, and the way back.
import { expect, test } from 'vitest';
import { presetRange } from '#dashboards/ranges.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { queryOf, readFilters } from '../../src/app/lib/filters.ts';

const NOW = new Date('2026-11-20T23:30:00Z');
const read = (query: string, since = '') => readFilters(new URLSearchParams(query), 'Europe/Warsaw', since, NOW);

test('without a word the last 30 days in the zone of the account are shown', () => {
  expect(read('')).toMatchObject({
    preset: '30d',
    from: '2026-10-23',
    to: '2026-11-21',
    timezone: 'Europe/Warsaw',
    grain: 'day',
  });
});

test('today is the day of the asked zone', () => {
  expect(read('preset=today&timezone=UTC')).toMatchObject({ from: '2026-11-20', to: '2026-11-20', grain: 'hour' });
});

test('what an address says comes back as the same address', () => {
  const queries = [
    '?preset=7d',
    '?account=second&preset=7d&compare=year&target=60',
    '?from=2026-01-01&to=2026-02-01&group=1&group=2&agent=a%40example.com&tag=%3Cb%3E&timezone=UTC&grain=week',
    '?preset=7d&group=1&group=2&split=volume.group&split=csat.none&chosen=together',
    '?preset=7d&tag=x&variable=plan%3Apro&variable=plan%3Aa%3Ab&split=volume.variable%3Aplan',
  ];
  for (const query of queries) expect(queryOf(read(query.slice(1)), 'Europe/Warsaw')).toBe(query);
});

test('a form that sends preset and unchanged dates keeps the preset; changed dates win', () => {
  expect(read('preset=7d&from=2026-11-15&to=2026-11-21').preset).toBe('7d');
  expect(read('preset=7d&from=2026-11-01&to=2026-11-21')).toMatchObject({ preset: null, from: '2026-11-01' });
});

test('wrong input is said and changes nothing else', () => {
  expect(read('from=2026-02-30&to=2026-03-01').problems[0]).toContain('2026-02-30');
  expect(read('from=2026-03-02&to=2026-03-01').problems[0]).toContain('after');
  expect(read('split=volume.moon&split=csat.tag')).toMatchObject({ split: ['csat.tag'] });
  expect(read('split=volume.moon').problems[0]).toContain('volume.moon');
  expect(read('split=').problems).toEqual([]);
  for (const wrong of ['preset=last_week', 'grain=quarter', 'hours=night'])
    expect(read(wrong)).toMatchObject({
      preset: '30d',
      grain: 'day',
      problems: [expect.stringContaining(wrong.split('=')[1] ?? '')],
    });
  expect(read('preset=&grain=&hours=').problems).toEqual([]);
  expect(read('variable=pro&variable=plan:pro')).toMatchObject({
    variable: ['plan:pro'],
    problems: [expect.stringContaining('“pro” is not a variable and a value')],
  });
  expect(read('timezone=Mars/Base').problems[0]).toContain('Mars/Base');
  expect(read('from=2026-02-30&tag=x')).toMatchObject({ preset: '30d', tag: ['x'] });
});

test('last month is the whole month before, also in January', () => {
  expect(presetRange('last-month', '2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
});

test('weeks begin on Monday, also when today is one or a Sunday', () => {
  for (const [day, week, last] of [
    ['2026-11-23', ['2026-11-23', '2026-11-23'], ['2026-11-16', '2026-11-22']],
    ['2026-11-22', ['2026-11-16', '2026-11-22'], ['2026-11-09', '2026-11-15']],
    ['2027-01-01', ['2026-12-28', '2027-01-01'], ['2026-12-21', '2026-12-27']],
  ] as const) {
    expect(Object.values(presetRange('week', day))).toEqual(week);
    expect(Object.values(presetRange('last-week', day))).toEqual(last);
  }
  expect(presetRange('28d', '2026-11-23')).toEqual({ from: '2026-10-27', to: '2026-11-23' });
});

test('dates that begin before the first pulled day are cut there, and it is said', () => {
  expect(read('', '2026-11-01')).toMatchObject({ preset: '30d', from: '2026-11-01', cutAt: '2026-11-01' });
  expect(read('preset=7d', '2026-11-01').cutAt).toBeNull();
  expect(read('from=2026-10-01&to=2026-10-05', '2026-11-01')).toMatchObject({ from: '2026-10-01', cutAt: null });
});

test('days that have not begun are told, and a range that reaches into them is as it was asked', () => {
  const said = 'These days have not begun yet; the last 30 days are shown instead.';
  for (const query of ['from=2099-12-05&to=2099-12-10', 'from=2099-12-05'])
    expect(read(query)).toMatchObject({ preset: '30d', problems: [said] });
  expect(read('from=2026-11-01&to=2099-12-10')).toMatchObject({ from: '2026-11-01', to: '2099-12-10', problems: [] });
});

test('an account, a comparison or a target that is none is told', () => {
  const accounts = ['first', 'second'];
  const asked = (query: string) => readFilters(new URLSearchParams(query), 'Europe/Warsaw', '', NOW, accounts);
  expect(asked('account=second')).toMatchObject({ account: 'second', problems: [] });
  expect(asked('account=third')).toMatchObject({ account: null, problems: [expect.stringContaining('“third”')] });
  expect(asked('compare=decade')).toMatchObject({ compare: 'previous', problems: [expect.stringContaining('decade')] });
  for (const target of ['soon', '-1', '86401', '1.5'])
    expect(asked(`target=${target}`)).toMatchObject({ target: 30, problems: [expect.stringContaining(target)] });
});

test('a grain too fine for the dates becomes the next coarser one that fits, and it is said', () => {
  const decades = 'from=2000-01-01&to=2039-12-31';
  expect(read(`${decades}&grain=day`)).toMatchObject({ grain: 'week', problems: [expect.stringContaining('by week')] });
  expect(read(`${decades}&grain=hour`)).toMatchObject({ grain: 'week' });
  expect(read(`${decades}&grain=month`)).toMatchObject({ grain: 'month', problems: [] });
  expect(read('from=2024-01-01&to=2026-11-20&grain=hour')).toMatchObject({ grain: 'day' });
  expect(read('from=2026-01-01&to=2026-11-20&grain=hour')).toMatchObject({ grain: 'hour', problems: [] });
});

const me = { rights: ['agents:read' as const], rows: null };

test('while a pull runs, dates begin with the first day that is there; at other times with the first of the account', () => {
  const account = {
    ...{ id: 'default', timezone: 'UTC', since: '2026-01-01', simulated: false, agents: [], groups: [], tags: [] },
    ...{ more_tags: false, other_groups: [], goals: [], variables: [] },
  };
  const at = (pull: object) =>
    filtersAt(new URL('http://x/?from=2025-12-01&to=2026-11-20'), {
      ...{ account, accounts: ['default'], health: { pull } as never, me },
    });
  expect(at({ running: true, pulled_since: '2026-11-19' })).toMatchObject({ from: '2026-11-19', cutAt: '2026-11-19' });
  expect(at({ running: false, pulled_since: '2026-11-19' })).toMatchObject({ from: '2026-01-01', cutAt: '2026-01-01' });
  expect(at({ running: true, pulled_since: null })).toMatchObject({ from: '2026-01-01' });
  const several = { running: true, pulled_since: '2026-11-19' };
  expect(at({ ...several, accounts: { other: '2026-11-19' } })).toMatchObject({ from: '2026-01-01' });
  expect(at({ ...several, accounts: { default: '2026-11-18' } })).toMatchObject({ from: '2026-11-18' });
});

test('variables and values that the account does not have are said, and narrow all the same', () => {
  const account = {
    ...{ id: 'default', timezone: 'UTC', since: '', simulated: false, agents: [], groups: [], tags: [] },
    ...{ more_tags: false, other_groups: [], goals: [] },
    variables: [{ id: 'plan', title: 'Plan', values: ['pro', 'Other'] }],
  };
  const at = (query: string) => {
    const health = { pull: { pulled_since: null } } as never;
    return filtersAt(new URL(`http://x/?${query}`), { account, accounts: ['default'], health, me });
  };
  expect(at('variable=plan:pro&variable=plan:Other').problems).toEqual([]);
  expect(at('variable=plan:gold')).toMatchObject({
    variable: ['plan:gold'],
    problems: [expect.stringContaining('“gold” as Plan')],
  });
  expect(at('variable=login:ann')).toMatchObject({
    variable: ['login:ann'],
    problems: [expect.stringContaining('no variable “login” declared, only plan')],
  });
  expect(at('country=Peru').problems).toEqual([expect.stringContaining('not narrowed by country (“Peru”)')]);
});
