// The short mail to the owner of a digest that did not reach its readers.
import type { DeliveryOutcome } from './channels/outcome.ts';
import { builtFrom, handOver, type Post } from './channels/smtp.ts';
import type { Send } from './send.ts';
import type { Matter } from './notified.ts';
import { plainText } from './plain-text.ts';
import { words } from './words.ts';

interface OwnerNotice {
  title: string;
  /** Mail address. */
  owner: string;
  matter: Matter;
  /** The sends of the matter, one for each reader and channel. */
  sends: readonly Pick<Send, 'reader' | 'channel' | 'reason'>[];
  message_id: string;
}

/** Readers that are named one by one. */
const most_named = 20;

export async function toOwner(
  { title, owner, matter, sends, message_id }: OwnerNotice,
  post: Post,
): Promise<DeliveryOutcome> {
  const { digest, period, state } = matter;
  const named = sends
    .slice(0, most_named)
    .map(({ reader, channel, reason }) => `- ${reader}, ${channel.split(' ')[0]}: ${reason ?? state}`);
  const more = sends.length - named.length;
  const lines = [
    ...[words.notice.intro[state](title, period), ''],
    ...[...named, ...(more > 0 ? [words.notice.more(more)] : []), ''],
    ...[words.notice.what[state](digest), words.notice.once],
  ];
  const message = await builtFrom({
    from: post.from,
    to: owner,
    subject: plainText(words.notice.subject[state](title, period)),
    messageId: message_id,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `${lines.map((line) => plainText(line)).join('\n')}\n`,
  });
  return handOver(message, post, owner);
}
