// Bodies that readers share are those of the file: after a change, and after a change that is rolled back.
import { expect, it } from 'vitest';
import { openStore } from '#service/store.ts';
import { chat } from './tiny.ts';

it('a shared body follows changes of the chat, and those that are rolled back', () => {
  const store = openStore(':memory:');
  const had = chat('2026-05-06T10:00:00Z', '2026-05-06T10:05:00Z');
  const { number } = store.transact(() => store.addChat(had));
  expect(store.sharedBody(number)).toEqual(had);
  expect(store.sharedBody(number)).toBe(store.sharedBody(number));
  const fails = (): void =>
    store.transact(() => {
      store.changeChat(number, { ...had, groups: [2] });
      expect(store.sharedBody(number).groups).toEqual([2]);
      throw new Error('rolled back');
    });
  expect(fails).toThrow('rolled back');
  expect(store.sharedBody(number)).toEqual(had);
  store.transact(() => store.changeChat(number, { ...had, groups: [3] }));
  expect(store.sharedBody(number)).toEqual(store.body(number));
  expect(store.body(number).groups).toEqual([3]);
  store.close();
});
