// An address that asks for what a page does not have: said in a sentence, and nothing is said of what it has.
import { expect, it } from 'vitest';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';

const account = {
  ...{ id: 'default', timezone: 'UTC', since: '', simulated: false, tags: [], more_tags: false, other_groups: [] },
  ...{ goals: [], variables: [], groups: [{ id: 1, name: 'Sales' }], agents: [{ login: 'ann@x.test', name: 'Ann' }] },
};
const frame = { account, accounts: ['default'], health: { pull: { pulled_since: null } } as never };
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

it('a part of an address keeps its values, and all of a name', () => {
  const part = addressPart(new URL('http://x.test/why/y?group=1&group=99&measure=chats'), (name) => name === 'group');
  expect(part.href).toBe('http://x.test/why/y?group=1&group=99');
});
