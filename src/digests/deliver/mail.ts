// Delivery by mail: text and HTML with the key figures, the files attached, and an honest word about what came of it.
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Post } from '../deps.ts';
import type { File } from '../rendered.ts';
import { words } from '../words.ts';
import { subjectOf, type Letter } from './letter.ts';
import { htmlOf, textOf, type Link } from './mail-text.ts';
import type { Outcome } from './outcome.ts';

/** Attachments of one mail, in bytes; many servers refuse more when they are encoded. */
export const most_attached = 8_000_000;

interface Part {
  attached: File[];
  links: Link[];
}

/** Over the limit: links when there is a public address, else several mails. A file alone over it goes alone. */
export function partsOf(files: readonly File[], linkTo: Letter['linkTo'], most = most_attached): Part[] {
  const size = (some: readonly File[]): number => some.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size(files) <= most) return [{ attached: [...files], links: [] }];
  if (linkTo) return [{ attached: [], links: files.map((file) => ({ name: file.name, url: linkTo(file) })) }];
  const parts: Part[] = [];
  for (const file of files) {
    const last = parts.at(-1);
    if (last && size(last.attached) + file.bytes.length <= most) last.attached.push(file);
    else parts.push({ attached: [file], links: [] });
  }
  return parts;
}

/** How to get no more of it: a link with one click, or a mail. */
export interface Unsubscribe {
  /** Address of the page, when there is a public address. */
  url: string | null;
}

export async function toMail(letter: Letter, post: Post, unsubscribe: Unsubscribe): Promise<Outcome> {
  const address = letter.reader.address;
  if (address === undefined) return { kind: 'failed', reason: `the reader ${letter.reader.name} has no address` };
  const parts = partsOf(letter.files, letter.linkTo);
  for (const [at, part] of parts.entries()) {
    const message = await messageOf(letter, part, at, parts.length, post, unsubscribe);
    const outcome = await handOver(message, post, address);
    if (outcome.kind === 'sent') continue;
    // Parts that went out before cannot be taken back: only a person may decide to send all of them again.
    if (at > 0)
      return { kind: 'unknown', reason: `${at} of ${parts.length} mails went out, then: ${reasonOf(outcome)}` };
    return outcome;
  }
  return { kind: 'sent' };
}

const reasonOf = (outcome: Exclude<Outcome, { kind: 'sent' }>): string => outcome.reason;

function messageOf(
  letter: Letter,
  { attached, links }: Part,
  at: number,
  count: number,
  post: Post,
  { url }: Unsubscribe,
): Promise<Buffer> {
  const mail = `mailto:${bareAddress(post.from)}?subject=${encodeURIComponent(`unsubscribe ${letter.digest}`)}`;
  const part = count > 1 ? words.mail.part(at + 1, count) : null;
  const around = { links, part, unsubscribe: url ?? mail };
  return builtFrom({
    from: post.from,
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
  });
}

/** The bytes of a mail; nothing in it is read from files or addresses. */
export function builtFrom(mail: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> {
  const composer = new MailComposer({ ...mail, disableFileAccess: true, disableUrlAccess: true });
  return new Promise((resolve, reject) =>
    composer.compile().build((error: Error | null, message?: Buffer) => {
      if (message) resolve(message);
      else reject(error ?? new Error('the mail could not be written'));
    }),
  );
}

export const bareAddress = (from: string): string => /<([^<>\s]+)>\s*$/.exec(from)?.[1] ?? from.trim();

/** For one mail, from the look-up of the server until it has confirmed: most messages are done in a second. */
const longest_ms = 120_000;

/** Hands a whole message to the mail server. */
export async function handOver(
  message: Buffer,
  { smtp_url, from, exchange_ms = longest_ms }: Post,
  to: string,
): Promise<Outcome> {
  let isWhole = false;
  const silent = (): void => undefined;
  // TRICKY: the library says in its log, and nowhere else, that the last byte of a message was written.
  const info = (entry: { tnx?: string }): void => void (isWhole ||= entry.tnx === 'message');
  const logger = { level: silent, trace: silent, debug: silent, info, warn: silent, error: silent, fatal: silent };
  const limits = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };
  const transport = createTransport({ url: smtp_url, logger, ...limits });
  const signal = AbortSignal.timeout(exchange_ms);
  try {
    await transport.sendMail({ envelope: { from: bareAddress(from), to }, raw: message, signal });
    return { kind: 'sent' };
  } catch (error) {
    return judged(signal.aborted ? new Error(`no end within ${exchange_ms / 1000} s`) : error, isWhole);
  } finally {
    transport.close();
  }
}

/** `isWhole`: all of the message had left, so a lost answer leaves the outcome open. */
export function judged(error: unknown, isWhole: boolean): Outcome {
  const {
    message = String(error),
    responseCode,
    code,
  } = (error ?? {}) as { message?: string; responseCode?: number; code?: string };
  const reason = message.replaceAll(/\s+/g, ' ').slice(0, 500);
  if (code === 'EAUTH')
    return { kind: 'retry', reason: `the mail server does not let us in, check CHATLEDGER_SMTP_URL: ${reason}` };
  if (responseCode !== undefined && responseCode >= 500)
    return { kind: 'failed', reason: `the mail server refused it: ${reason}` };
  if (responseCode !== undefined && responseCode >= 400)
    return { kind: 'retry', reason: `the mail server put it off: ${reason}` };
  if (isWhole)
    return { kind: 'unknown', reason: `the connection was lost before the mail server confirmed it: ${reason}` };
  return { kind: 'retry', reason: `the mail server cannot be reached: ${reason}` };
}
