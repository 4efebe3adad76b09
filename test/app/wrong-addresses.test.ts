// An address that asks for what a page does not have: said in a sentence, and nothing is said of what it has.
import { expect, it } from 'vitest';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';

const account = {
  ...{ id: 'default', timezone: 'UTC', since: '', simulated: false, tags: [], more_tags: false, other_groups: [] },
  ...{ goals: [], variables: [], groups: [{ id: 1, name: 'Sales' }], agents: [{ login: 'ann@x.test', name: 'Ann' }] },
};
const everybody = { rights: ['numbers:read', 'agents:read'] as const, rows: null };
const frame = { account, accounts: ['default'], health: { pull: { pulled_since: null } } as never, me: everybody };
const problemsAt = (query: string, own: Parameters<typeof filtersAt>[2] = {}): string[] =>
  filtersAt(new URL(`http://x.test/?${query}`), frame as never, own).problems;

it('a parameter that the page does not have is named once, with those that there are', () => {
  expect(problemsAt('grup=2&grup=3&preset=7d')).toEqual([
    expect.stringMatching(/^grup=“2, 3” is not known here, so it is left out; there are account, preset, .*group/),
  ]);
});

it('what the page knows besides the filters is no mistake', () => {
  const known = 'account=default&group=1&agent=ann@x.test&tag=any&chosen=together&hours=business&split=volume.group';
  expect(problemsAt(`${known}&back=/queue&whole=`)).toEqual([]);
  const own = { stays: ['query'], passing: ['offset'] };
  expect(problemsAt('query=refund&offset=50', own)).toEqual([]);
  expect(filtersAt(new URL('http://x.test/?query=a&offset=50'), frame as never, own).own).toEqual([['query', 'a']]);
});

it('of an agent or a group that is not listed, a reader of a part is told nothing but that', () => {
  const asked = (me: object): string[] => {
    const url = new URL('http://x.test/?agent=tom@x.test&group=2');
    return filtersAt(url, { ...frame, me: { ...everybody, ...me } } as never).problems;
  };
  expect(asked({})).toEqual([
    'The account has no group “2”, so nothing is counted for it.',
    'The account has no agent “tom@x.test” now; only chats from before are counted.',
  ]);
  const unseen =
    'No agent “tom@x.test” is among those whom you see; only chats from before that you see are counted, if there are any.';
  for (const rows of [{ agent: 'ann@x.test' }, { groups: [1] }])
    expect(asked({ rows })).toEqual([
      'No group “2” is among those that you see, so nothing is counted for it.',
      unseen,
    ]);
  expect(asked({ rows: { accounts: ['default'] } })).toEqual(asked({}));
  expect(asked({ rights: ['numbers:read'] })[1]).toBe(unseen);
});

it('a part of an address keeps its values, and all of a name', () => {
  const part = addressPart(new URL('http://x.test/why/y?group=1&group=99&measure=chats'), (name) => name === 'group');
  expect(part.href).toBe('http://x.test/why/y?group=1&group=99');
});
