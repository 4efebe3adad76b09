// Random sequences of what customers, agents, the clock and restarts do; after each step the chats of all hold together.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../chance.ts';
import { ann, bob } from '../tiny.ts';
import { message, parties } from './parties.ts';

const step = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom('say', 'answer', 'close', 'archive', 'transfer', 'away', 'back', 'wait', 'attach', 'restart'),
  agent: fc.constantFrom<typeof ann | typeof bob>(ann, bob),
  seconds: fc.constantFrom(0, 1, 60, 1300, 3700),
});

it('chats have one active thread, ordered events with ids of their own, a dense queue, and the same number in both archives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const world = await parties();
      try {
        const customers = Array.from({ length: 4 }, () => world.customer());
        const agents = { [ann]: world.agent(ann), [bob]: world.agent(bob) };
        const chats = new Map<number, string>();
        const begun = { access: { group_ids: [1] }, thread: { events: [message('Hello')] } };
        for (const { who, what, agent, seconds } of steps) {
          const customer = customers[who]!;
          const asAgent = agents[agent];
          const chat_id = chats.get(who);
          world.clock.now += seconds;
          if (what === 'restart') await world.restart();
          else if (what === 'away') await asAgent('set_routing_status', { status: 'not_accepting_chats' });
          else if (what === 'back') await asAgent('set_routing_status', { status: 'accepting_chats' });
          else if (chat_id === undefined) {
            const { status, body } = await customer('start_chat', { chat: begun });
            if (status === 200) chats.set(who, body.chat_id);
          } else if (what === 'say') {
            const { error } = await customer('send_event', { chat_id, event: message('More') });
            if (error) await customer('resume_chat', { chat: { id: chat_id, ...begun } });
          } else if (what === 'attach')
            await customer('send_event', { chat_id, event: message('Late'), attach_to_last_thread: true });
          else if (what === 'answer') await asAgent('send_event', { chat_id, event: message('Yes') });
          else if (what === 'close') await customer('deactivate_chat', { id: chat_id });
          else if (what === 'archive')
            await asAgent('deactivate_chat', { id: chat_id, ignore_requester_presence: true });
          else if (what === 'transfer')
            await asAgent('transfer_chat', {
              id: chat_id,
              ignore_requester_presence: true,
              ignore_agents_availability: true,
            });

          const places: number[] = [];
          for (const [place, id] of chats) {
            const { threads } = (await agents[ann]('list_threads', { chat_id: id, limit: 100 })).body;
            expect(threads.filter(({ active }) => active).length).toBeLessThanOrEqual(1);
            const own = (await customers[place]!('list_threads', { chat_id: id, limit: 100 })).body.threads;
            for (const [n, thread] of threads.entries()) {
              const events = thread.events!;
              expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
              const times = events.map((event) => event.created_at);
              expect(times).toEqual([...times].sort());
              expect(own[n]!.events.map((event) => event.id)).toEqual(events.map((event) => event.id));
              if (thread.queue) places.push(thread.queue.position);
            }
          }
          expect(places.sort()).toEqual(places.map((_, n) => n + 1));
        }
        const archived = (await (await world.ask('/chats?date_from=2026-05-01')).json()) as { total: number };
        expect((await agents[ann]('list_archives')).body.found_chats).toBe(archived.total);
      } finally {
        await world.end();
      }
    }),
    { numRuns: tries(8, 2_000) },
  );
}, 7_200_000);
