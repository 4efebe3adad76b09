// Parameters of a statement on the SQL page: where they are, which field each gets, and what is sent.
import { describe, expect, it } from 'vitest';
import { kindOf, parametersIn } from '#dashboards/queries/parameters.ts';
import { valuesFor } from '#lib/sql/parameters.ts';

describe('parameters', () => {
  it.each([
    ['select * from t where d between $from and $to and g = $group', ['from', 'to', 'group']],
    ['select $a, $b, $a', ['a', 'b']],
    ['select \'$a\', "$b", $c -- $d\n, $e /* $f */', ['c', 'e']],
    ["select 'it''s $a', $b", ['b']],
    ['select $$ $a $$, $x$ $b $x$, $c', ['c']],
    ["select '--', $a", ['a']],
    ["select 'open $a", []],
    ['select $1, ?, a$b', []],
    ['select $tür_nummer', ['tür_nummer']],
    ['', []],
  ])('of %j are %j', (statement, names) => {
    expect(parametersIn(statement)).toEqual(names);
  });
  it.each([
    ['from', 'select $from', 'date'],
    ['ended_on', 'select $ended_on', 'date'],
    ['started_until', 'select $started_until', 'date'],
    ['started_since', 'select $started_since', 'date'],
    ['rated_before', 'select $rated_before', 'date'],
    ['rated_after', 'select $rated_after::timestamptz', 'date'],
    ['before', 'select $before', 'date'],
    ['beforehand', 'select $beforehand', 'text'],
    ['group', 'select $group', 'group'],
    ['agent', 'select $agent::text', 'agent'],
    ['tag', 'select $tag', 'tag'],
    ['limit', 'select $limit', 'number'],
    ['x', 'select $x::int', 'number'],
    ['x', 'select $x::date', 'date'],
    ['x', "select '$x::date', $x", 'text'],
    ['from', 'select $from::text', 'text'],
  ])('%s of %j is typed as %s', (name, statement, kind) => {
    expect(kindOf(name, statement)).toBe(kind);
  });
  it('are sent as numbers where they are some, without those that are not filled in and those of other statements', () => {
    const statement = 'select $from, $n, $group, $word, $tag, $to';
    const typed = { from: '2026-01-01', n: '5', group: null, word: '', tag: 'vip', to: '', other: 'x' };
    expect(valuesFor(statement, typed)).toEqual({ from: '2026-01-01', n: 5, group: null, word: '', tag: 'vip' });
    expect(valuesFor('select $n', { n: 'five' })).toEqual({ n: 'five' });
  });
});
