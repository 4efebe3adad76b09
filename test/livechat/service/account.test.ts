// Chats that are put into memory stand in the order, and reach as far, as if all had been loaded at once.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOrder, putChat } from '#service/account.ts';
import { lightOf } from '#service/light.ts';
import { openEnded } from '#service/records.ts';
import { tries } from '../../chance.ts';
import { chat, tinyAccount } from './tiny.ts';

const noon = '2026-05-06T12:00:00Z';
const put = fc.record({
  number: fc.nat(9),
  started: fc.nat(6),
  lasts: fc.oneof(fc.nat(9), fc.constant(openEnded)),
});

it('a chat takes its place, also the one that it had, and tells how far chats reach', () => {
  fc.assert(
    fc.property(fc.array(put, { minLength: 1, maxLength: 40 }), (puts) => {
      const { account } = tinyAccount({ now: noon });
      for (const { number, started, lasts } of puts) {
        const ended = lasts === openEnded ? openEnded : started + lasts;
        putChat(account, lightOf({ ...chat(noon, noon), id: `CHAT${number}`, started, ended }, number));
        const { chats, reach, earliest } = structuredClone({ ...account, zone: 0, now: 0, store: 0 });
        inOrder(account);
        expect(chats).toEqual(account.chats);
        expect(reach).toEqual(account.reach);
        expect(earliest).toBeLessThanOrEqual(account.earliest);
        expect([...account.by_id.values()].sort((a, b) => a.number - b.number)).toEqual(
          [...chats].sort((a, b) => a.number - b.number),
        );
      }
      account.store.close();
    }),
    { numRuns: tries(100, 5000) },
  );
});
