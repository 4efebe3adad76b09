// Hands a letter to a channel and says what came of it.
import type { Channel } from '../digest.ts';
import type { DigestDeps } from '../deps.ts';
import { toFolder } from './folder.ts';
import type { Letter } from './letter.ts';
import { toMail } from './mail.ts';
import type { Outcome } from './outcome.ts';
import { toSlack, toWebhook } from './webhook.ts';

/** A folder can be written twice without harm; whoever reads mail or a hook would see it twice. */
export const isRepeatable = (channel: string): boolean => channel === 'folder';

export function deliver(
  channel: Channel,
  letter: Letter,
  deps: DigestDeps,
  unsubscribe: string | null,
): Promise<Outcome> {
  const now = Math.floor(deps.clock() / 1000);
  switch (channel.kind) {
    case 'folder':
      return toFolder(letter, deps.folder);
    case 'mail':
      if (!deps.post)
        return Promise.resolve({
          kind: 'retry',
          reason: 'no mail is set up: set CHATLEDGER_SMTP_URL and CHATLEDGER_MAIL_FROM',
        });
      return toMail(letter, deps.post, { url: unsubscribe });
    case 'webhook':
      return toWebhook(letter, channel, now, deps.webhooks);
    case 'slack':
      return toSlack(letter, channel.url, deps.webhooks);
  }
}
