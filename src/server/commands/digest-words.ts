// What `chatledger digest` says of sends: what became of each, when it is tried again, and how to send it at once.
import type { NotedSend } from '#digests/send.ts';

const instant = (second: number): string => new Date(second * 1000).toISOString();

function line({ period, reader, channel, state, reason, sent_at, next_at }: NotedSend): string {
  const when = sent_at ? ` at ${instant(sent_at)}` : state === 'retrying' ? ` from ${instant(next_at)} on` : '';
  return `${period.padEnd(11)} ${state.padEnd(9)} ${channel.padEnd(8)} ${reader}${when}${reason ? `: ${reason}` : ''}`;
}

/** `period`: the one that was asked for; then it is said what can be done about sends of it that did not arrive. */
export function sendLines(sends: readonly NotedSend[], period: string | undefined): string[] {
  const lines = sends.map(line);
  const [open] = sends.filter(({ state }) => ['retrying', 'held', 'failed', 'unknown'].includes(state));
  if (period === undefined || !open) return lines;
  const isRetried = sends.some(({ state }) => state === 'retrying');
  return [
    ...lines,
    `${isRetried ? 'What is retrying is tried again by chatledger start; at once' : 'What did not arrive is sent again'} ` +
      `by: npx chatledger digest again ${open.digest} --for ${period}`,
  ];
}
