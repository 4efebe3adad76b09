// Mail addresses that somebody writes or pastes in one go.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressesIn } from '#lib/digests/addresses.ts';

it.each([
  ['ann@x.test', ['ann@x.test']],
  ['ann@x.test, bob@y.test', ['ann@x.test', 'bob@y.test']],
  ['ann@x.test;bob@y.test', ['ann@x.test', 'bob@y.test']],
  ['ann@x.test\r\nbob@y.test\n\ncid@z.test\n', ['ann@x.test', 'bob@y.test', 'cid@z.test']],
  ['ann@x.test, ANN@x.test', ['ann@x.test']],
  ['Ann Lee <ann@x.test>, bob@y.test', ['Ann Lee <ann@x.test>', 'bob@y.test']],
  ['"Lee, Ann" <ann@x.test>; Bob <bob@y.test>', ['Lee, Ann <ann@x.test>', 'Bob <bob@y.test>']],
  ['mailto:ann@x.test', ['ann@x.test']],
  ['nobody here', []],
  ['', []],
] as const)('%j', (text, expected) => {
  expect(addressesIn(text).map(({ name, address }) => (name === address ? address : `${name} <${address}>`))).toEqual(
    expected,
  );
});

it('any addresses come back from any of the ways to part them', () => {
  const part = fc.constantFrom(', ', ',', ';', '; ', '\n', '\r\n', ' ');
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z0-9.+-]{1,8}@[a-z]{1,8}\.test$/), { maxLength: 6 }),
      part,
      (all, by) => {
        expect(addressesIn(all.join(by)).map(({ address }) => address)).toEqual(all);
      },
    ),
  );
});
