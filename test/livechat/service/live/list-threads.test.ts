// Pages of the threads of a chat, by a number of threads or by a number of events, against a plain loop.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listThreads } from '#service/agent-chat/chats.ts';
import { chatIdOf, momentOf } from '#service/names.ts';
import type { ChatRecord } from '#service/records.ts';
import { tries } from '../../../chance.ts';
import { ann, at, chat, lines, tinyAccount } from '../tiny.ts';

const first = '2026-05-06T09:00:00Z';

/** Threads of one customer, an hour apart, with so many messages each; the end of each is one event more. */
function threadsWith(messages: readonly number[]): ChatRecord[] {
  return messages.map((count, place) => {
    const started = momentOf(at(first) + place * 3600);
    const own = lines(started, ...Array.from({ length: count }, (_, n) => `a${n}`));
    const record = chat(started, momentOf(at(started) + 600), { events: own });
    return { ...record, visitor: { ...record.visitor, id: 'S1' } };
  });
}

/** The pages that a loop makes: each thread is on the page until that has enough. */
function looped(records: readonly ChatRecord[], is_enough: (page: readonly ChatRecord[]) => boolean): string[][] {
  const pages: ChatRecord[][] = [];
  for (const record of records) {
    const page = pages.at(-1);
    if (page && !is_enough(page)) page.push(record);
    else pages.push([record]);
  }
  return pages.map((page) => page.map(({ id }) => id));
}

const eventsOf = (page: readonly ChatRecord[]): number => page.reduce((sum, { events }) => sum + events.length + 1, 0);

const asking = fc.record({
  messages: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
  sort_order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  size: fc.oneof(
    fc.record({ limit: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ min_events_count: fc.integer({ min: 1, max: 20 }) }),
  ),
});

it('every page has as many threads as asked, or as many as have the events asked, forth and back', () => {
  fc.assert(
    fc.property(asking, ({ messages, sort_order, size }) => {
      const records = threadsWith(messages);
      const { account } = tinyAccount({ now: '2026-05-07T12:00:00Z', chats: records });
      const ask = (args: Omit<Parameters<typeof listThreads>[0]['args'], 'chat_id'>) => {
        const answer = listThreads({
          ...{ account, now: account.now(), origin: '' },
          caller: { agent: ann, scopes: ['*'] },
          author: { id: ann, type: 'agent', name: 'Ann' },
          args: { chat_id: chatIdOf('S1'), ...args },
        });
        if (answer instanceof Promise) throw new Error('the list waits for nothing');
        return { ...answer, ids: answer.threads.map(({ id }) => id) };
      };
      const is_enough = (page: readonly ChatRecord[]): boolean =>
        'limit' in size ? page.length >= size.limit : eventsOf(page) >= size.min_events_count;
      const sorted = sort_order === 'asc' ? records : [...records].reverse();
      const pages = [ask({ sort_order, ...size })];
      while (pages.at(-1)!.next_page_id) pages.push(ask({ page_id: pages.at(-1)!.next_page_id }));
      expect(pages.map(({ ids }) => ids)).toEqual(looped(sorted, is_enough));
      expect(pages.map(({ found_threads }) => found_threads)).toEqual(pages.map(() => records.length));

      const before = sorted.slice(0, -pages.at(-1)!.ids.length || undefined);
      const back = [];
      for (let id = pages.at(-1)!.previous_page_id; id; id = back.at(-1)!.previous_page_id)
        back.push(ask({ page_id: id }));
      const nearest_first = back.map(({ ids }) => [...ids].reverse());
      expect(nearest_first).toEqual(pages.length > 1 ? looped([...before].reverse(), is_enough) : []);
      account.store.close();
    }),
    { numRuns: tries(100, 2000) },
  );
});
