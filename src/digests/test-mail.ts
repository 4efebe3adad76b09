// Test mails to one address: a digest outside the schedule and without a record in the ledger, or a sentence that tries the mail server.
import type { Snapshot } from '#warehouse/query/context.ts';
import { messageIdOf } from './channels/letter.ts';
import { mail } from './channels/mail.ts';
import { builtFrom, handOver, type Post } from './channels/smtp.ts';
import type { DeliveryOutcome } from './channels/outcome.ts';
import { secondsNow, type DigestDeps } from './deps.ts';
import type { Digest, DigestReader } from './digest.ts';
import { wordsOf } from './letters.ts';
import type { DigestPeriod } from './periods.ts';
import { previewed } from './preview.ts';
import { words } from './words.ts';

/** Short, because a user is waiting for the answer. */
const exchange_ms = 30_000;

/** The recipient: a reader of the digest with that address as that reader, anybody else with the digest's defaults. */
const readerWith = ({ readers }: Digest, address: string): DigestReader =>
  readers.find((reader) => reader.address === address) ?? { name: address, address };

/** Errors: NothingToSee, RendererBusy. */
export async function sendTest(
  deps: DigestDeps,
  digest: Digest,
  { to, ...about }: { to: string; period: DigestPeriod; snapshot: Snapshot; is_agreed: boolean },
): Promise<DeliveryOutcome> {
  const reader = readerWith(digest, to);
  const { document, files } = await previewed(deps, digest, { reader, ...about });
  const { folder, webhooks, store, post } = deps;
  const now = secondsNow(deps);
  const { period } = about;
  const said = wordsOf(document, deps.pages_url ?? null);
  const letter = {
    ...{ digest: digest.id, period: period.label, reader, files, ...said },
    title: words.mail.test(said.title),
    message_id: messageIdOf(store.key, ['test', digest.id, period.label, to, String(deps.clock())], post?.from ?? ''),
    linkTo: null,
  };
  const means = { now, folder, webhooks, post: post && { ...post, exchange_ms }, unsubscribe: null };
  return mail.deliver({ kind: 'mail' }, letter, means);
}

/** Tries how mails are sent, with a sentence. */
export async function sendMailCheck(post: Post, to: string): Promise<DeliveryOutcome> {
  const { subject, text } = words.mail.check;
  return handOver(await builtFrom({ from: post.from, to, subject, text }), { ...post, exchange_ms }, to);
}
