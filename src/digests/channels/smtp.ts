// One mail over SMTP: builds it, delivers it and describes the outcome accurately.
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { certificateProblem } from '#network/certificate.ts';
import type { DeliveryOutcome } from './outcome.ts';

/** How mail is sent: an SMTP address and the sender. */
export interface Post {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtp_url: string;
  from: string;
  /** How long one mail may take until the server has confirmed it; for tests. */
  exchange_ms?: number;
}

/** The bytes of a mail; nothing in it is read from files or URLs. */
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
): Promise<DeliveryOutcome> {
  let isWhole = false;
  const silent = (): void => undefined;
  // TRICKY: only the library's log shows that the last byte of a message was written.
  const info = (entry: { tnx?: string }): void => void (isWhole ||= entry.tnx === 'message');
  const logger = { level: silent, trace: silent, debug: silent, info, warn: silent, error: silent, fatal: silent };
  const limits = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };
  const transport = createTransport({ url: smtp_url, logger, ...limits });
  const signal = AbortSignal.timeout(exchange_ms);
  try {
    await transport.sendMail({ envelope: { from: bareAddress(from), to }, raw: message, signal });
    return { kind: 'sent' };
  } catch (error) {
    const why = signal.aborted ? new Error(`no end within ${exchange_ms / 1000} s`) : error;
    return judged(why, isWhole, passwordIn(smtp_url));
  } finally {
    transport.close();
  }
}

const no_tls =
  'the mail server does not begin with TLS at this port, as smtps:// wants it: write smtp://, which changes to TLS where the server can';

/** The password of a mail server, as it stands in a setting and as AUTH sends it: a server may repeat it in its refusal. */
function passwordIn(smtp_url: string): string[] {
  const { username, password } = new URL(smtp_url);
  if (password === '') return [];
  const [user, secret] = [decoded(username), decoded(password)];
  const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
  return [inBase64(`\0${user}\0${secret}`), inBase64(secret), secret, password];
}

/** A lone % stays as it is, as the library reads it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `isWhole`: all of the message had left, so a lost answer leaves the outcome open. `secrets` are left out of the reason. */
export function judged(error: unknown, isWhole: boolean, secrets: readonly string[] = []): DeliveryOutcome {
  const {
    message = String(error),
    responseCode,
    code,
  } = (error ?? {}) as { message?: string; responseCode?: number; code?: string };
  const told = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), message);
  const reason = told.replaceAll(/\s+/g, ' ').slice(0, 500);
  // OpenSSL's words for an answer that is not TLS.
  if (/wrong version number|packet length too long/.test(message)) return { kind: 'retry', reason: no_tls };
  if (code === 'EAUTH')
    return { kind: 'retry', reason: `the mail server does not let us in, check CHATLEDGER_SMTP_URL: ${reason}` };
  if (responseCode !== undefined && responseCode >= 500)
    return { kind: 'failed', reason: `the mail server refused it: ${reason}` };
  if (responseCode !== undefined && responseCode >= 400)
    return { kind: 'retry', reason: `the mail server put it off: ${reason}` };
  if (isWhole)
    return { kind: 'unknown', reason: `the connection was lost before the mail server confirmed it: ${reason}` };
  const certificate = certificateProblem(error);
  if (certificate) return { kind: 'retry', reason: `no secure connection to the mail server: ${certificate}` };
  return { kind: 'retry', reason: `the mail server cannot be reached: ${reason}` };
}
