// Delivery by mail: text and HTML with the key figures, the files attached, in several mails where they are many.
import { z } from 'zod';
import { words } from '../words.ts';
import { channelKind, most_attached, type DeliveryMeans } from './channel.ts';
import { subjectOf, type File, type Letter } from './letter.ts';
import { htmlOf, textOf, type Link } from './mail-text.ts';
import type { DeliveryOutcome } from './outcome.ts';

interface MailPart {
  attached: File[];
  links: Link[];
}

/** Above the size limit, files become links if there is a public address, otherwise several mails. A single file above it is sent alone. */
export function partsOf(files: readonly File[], linkTo: Letter['linkTo'], most = most_attached): MailPart[] {
  const size = (some: readonly File[]): number => some.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size(files) <= most) return [{ attached: [...files], links: [] }];
  if (linkTo) return [{ attached: [], links: files.map((file) => ({ name: file.name, url: linkTo(file) })) }];
  const parts: MailPart[] = [];
  for (const file of files) {
    const last = parts.at(-1);
    if (last && size(last.attached) + file.bytes.length <= most) last.attached.push(file);
    else parts.push({ attached: [file], links: [] });
  }
  return parts;
}

async function deliver(letter: Letter, { post, unsubscribe }: DeliveryMeans): Promise<DeliveryOutcome> {
  if (!post) return { kind: 'retry', reason: 'no mail is set up: set CHATLEDGER_SMTP_URL and CHATLEDGER_MAIL_FROM' };
  const address = letter.reader.address;
  if (address === undefined) return { kind: 'failed', reason: `the reader ${letter.reader.name} has no address` };
  const { handOver, builtFrom, bareAddress } = await import('./smtp.ts');
  const parts = partsOf(letter.files, letter.linkTo);
  for (const [at, part] of parts.entries()) {
    const place = { at, count: parts.length };
    const message = await builtFrom(
      mailOf(letter, part, place, { ...post, bare: bareAddress(post.from) }, unsubscribe),
    );
    const outcome = await handOver(message, post, address);
    if (outcome.kind === 'sent') continue;
    // Parts that went out before cannot be taken back: only a person may decide to send all of them again.
    if (at > 0) return { kind: 'unknown', reason: `${at} of ${parts.length} mails went out, then: ${outcome.reason}` };
    return outcome;
  }
  return { kind: 'sent' };
}

function mailOf(
  letter: Letter,
  { attached, links }: MailPart,
  { at, count }: { at: number; count: number },
  { from, bare }: { from: string; bare: string },
  url: string | null,
) {
  const mail = `mailto:${bare}?subject=${encodeURIComponent(`unsubscribe ${letter.digest}`)}`;
  const part = count > 1 ? words.mail.part(at + 1, count) : null;
  const around = { links, part, unsubscribe: url ?? mail };
  return {
    from,
    to: { name: letter.reader.name, address: letter.reader.address ?? '' },
    subject: count > 1 ? `${subjectOf(letter)} (${at + 1}/${count})` : subjectOf(letter),
    messageId: at === 0 ? letter.message_id : letter.message_id.replace('@', `.${at + 1}@`),
    headers: {
      'List-Unsubscribe': url === null ? `<${mail}>` : `<${url}>, <${mail}>`,
      ...(url === null ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      'Auto-Submitted': 'auto-generated',
    },
    text: textOf(letter, around),
    html: htmlOf(letter, around),
    attachments: attached.map(({ name, type, bytes }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(bytes),
    })),
  };
}

export const mail = channelKind({
  schema: z.strictObject({ kind: z.literal('mail') }),
  form: { title: 'mail, to recipients with an address' },
  isRepeatable: false,
  isByAddress: true,
  deliver: (_, letter, means) => deliver(letter, means),
});
