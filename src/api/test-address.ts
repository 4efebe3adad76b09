// Test mails: to whom they go, and what is said of them.
import type { Context } from 'hono';
import type { z } from 'zod';
import type { DeliveryOutcome } from '#digests/channels/outcome.ts';
import { callerIn } from './context.ts';
import type { mailOutcome } from './contract/digests.ts';
import { Declined } from './errors.ts';

export const mailIsOff =
  'mail is off: set CHATLEDGER_SMTP_URL and CHATLEDGER_MAIL_FROM, or the mail server on the page Settings';

/** Recipient of a test: the user who asks; without logins or with a token, the given address. Errors: Declined. */
export function testAddress(c: Context, to: string | undefined): string {
  const address = callerIn(c).user?.email ?? to;
  if (address === undefined) throw new Declined('bad_request', 'to: a test needs a mail address');
  return address;
}

export const outcomeOfMail = (to: string, outcome: DeliveryOutcome): z.infer<typeof mailOutcome> => ({
  to,
  outcome: outcome.kind,
  reason: outcome.kind === 'sent' ? null : outcome.reason,
});
