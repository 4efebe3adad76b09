// An agent is removed while the simulated account has chats of theirs that are open and chats that are still to come.
import { afterEach, describe, expect, it } from 'vitest';
import { ann, at, basic, bob, chat, lines, tinyService } from '../tiny.ts';

let runs: Awaited<ReturnType<typeof tinyService>>;
afterEach(() => runs.end());

describe('the chats of an agent who is removed', () => {
  it('go on without the agent when they are open, and to a colleague when they are to come; past ones stay', async () => {
    const [past, open, later] = ['10:00', '11:58', '12:30'].map((time, place) => {
      const started = `2026-05-06T${time}:00Z`;
      const ended = new Date(Date.parse(started) + 600_000).toISOString();
      return chat(started, ended, { events: lines(started, 'v1', 'a20', 'v30', 'a500'), queue_seconds: place });
    });
    const statuses = [ann, bob].map((agent) => ({
      ...{ agent, status: 'accepting chats' as const },
      ...{ from: at('2026-05-06T09:00:00Z'), to: at('2026-05-06T20:00:00Z') },
    }));
    runs = await tinyService({ now: '2026-05-06T12:00:00Z', chats: [past!, open!, later!], statuses });
    const owner = basic('owner@example.com', 'secret');
    expect((await runs.ask(`/agents/${ann}`, owner, 'DELETE')).status).toBe(200);
    await runs.restart();
    runs.clock.now = at('2026-05-06T12:05:00Z');
    const shown = async (id: string) =>
      (await (await runs.ask(`/chats/${id}?include_pending=1`)).json()) as {
        pending?: boolean;
        agents: { email: string }[];
        messages: { text: string; agent_id?: string; author_name: string }[];
        ended_timestamp?: number;
      };
    expect((await shown(past!.id)).agents.map(({ email }) => email)).toEqual([ann]);
    // Bob has taken over what was open: nothing of the script is left after the removal.
    const going = await shown(open!.id);
    expect(going.pending).toBe(true);
    expect(going.agents.map(({ email }) => email)).toEqual([ann, bob]);
    expect(going.messages.map(({ text }) => text)).toEqual(['line v1', 'line a20', 'line v30']);
    runs.clock.now = at('2026-05-06T13:00:00Z');
    const held = await shown(later!.id);
    expect(held.agents.map(({ email }) => email)).toEqual([bob]);
    expect(
      held.messages
        .filter(({ agent_id }) => agent_id !== undefined)
        .map(({ agent_id, author_name }) => [agent_id, author_name]),
    ).toEqual([
      [bob, 'Bob'],
      [bob, 'Bob'],
    ]);
    // Nobody writes in it any more, so it ends by inactivity.
    runs.clock.now = at('2026-05-06T15:00:00Z');
    expect((await shown(open!.id)).ended_timestamp).toBe(at('2026-05-06T13:00:00Z'));
  });
});
