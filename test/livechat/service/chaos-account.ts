// An account for drills: two pages of chats, prices as text and as a number, reports with hours, means and money.
import { undiciAnswer, type Got } from './wire.ts';
import { ann, at, basic, chat, lines, tinyService, type Tiny } from './tiny.ts';

const goal = (price: string | number) => ({
  id: 9,
  name: 'sold',
  type: 'sales_tracker' as const,
  at: at('2026-05-04T10:04:00Z'),
  order: { id: 'A', description: 'x', price, currency: 'EUR' },
});

const account: Tiny & { days: number } = {
  now: '2026-05-06T12:00:00Z',
  days: 3,
  chats: [
    ...Array.from({ length: 30 }, (_, index) =>
      chat('2026-05-04T10:00:00Z', '2026-05-04T10:05:00Z', {
        id: `DRILL${String(index).padStart(5, '0')}`,
        events: lines('2026-05-04T10:00:00Z', 'a0', 'v10', 'a17'),
        goals: index === 0 ? [goal(49.5)] : index === 29 ? [goal('199.00')] : [],
        ratings: [{ at: at('2026-05-04T10:06:00Z'), rate: 'rated_good' }],
      }),
    ),
  ],
  statuses: [
    { agent: ann, status: 'accepting chats', from: at('2026-05-04T08:00:00Z'), to: at('2026-05-04T15:51:00Z') },
  ],
};

/** The service and a client that says what came over the wire, byte by byte. */
export async function drilledService() {
  const it_runs = await tinyService(account);
  return {
    ...it_runs,
    get: (path: string): Promise<Got> =>
      undiciAnswer(`${it_runs.service().url}${path}`, basic('owner@example.com', 'secret')),
  };
}
