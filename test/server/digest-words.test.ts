// What the command line says of sends: of one that did not arrive when it is tried again, and the command that sends it at once.
import { expect, it } from 'vitest';
import type { NotedSend } from '#digests/send.ts';
import { sendLines } from '#server/commands/digest-words.ts';

const at = Date.parse('2026-05-11T07:00:00Z') / 1000;
const sent: NotedSend = {
  ...{ digest: 'week', period: '2026-W19', reader: 'ann', channel: 'folder', state: 'sent' },
  ...{ due_at: at, is_late: false, is_forced: false, snapshot: null, message_id: null, attempts: 1 },
  ...{ first_at: at, next_at: at, sent_at: at, reason: null, updated_at: at },
};
const open = (state: NotedSend['state']): NotedSend => ({
  ...sent,
  ...{ reader: 'bob', state, sent_at: null, next_at: at + 300, reason: 'the folder cannot be written' },
});

it('a send that is retried says from when on, and which command sends it at once', () => {
  expect(sendLines([sent, open('retrying')], '2026-W19')).toEqual([
    '2026-W19    sent      folder   ann at 2026-05-11T07:00:00.000Z',
    '2026-W19    retrying  folder   bob from 2026-05-11T07:05:00.000Z on: the folder cannot be written',
    'What is retrying is tried again by chatledger start; at once by: npx chatledger digest again week --for 2026-W19',
  ]);
});

it('of what failed nothing is tried by itself, and of what was sent there is nothing to do', () => {
  expect(sendLines([open('failed')], '2026-W19')).toEqual([
    '2026-W19    failed    folder   bob: the folder cannot be written',
    'What did not arrive is sent again by: npx chatledger digest again week --for 2026-W19',
  ]);
  expect(sendLines([sent], '2026-W19')).toHaveLength(1);
  expect(sendLines([open('failed')], undefined)).toHaveLength(1);
});
