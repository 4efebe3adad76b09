// E-mail verification: a mail with a link, and after it was opened a POST with the address to those who asked.
import { createHash, randomBytes } from 'node:crypto';
import type { ServiceAccount } from '../account.ts';
import type { CustomerRecord } from '../live-tables.ts';
import { refuse } from '../refusals.ts';
import { signedIn, type ReachOut } from './action.ts';

/** Only the latest requests are called back, and none later than seven days after the last one. */
const kept = 10;
const lifetime = 7 * 86_400;
const bounds = { milliseconds: 10_000, bytes: 1_024 };

export const requestEmailVerification = signedIn<'request_email_verification'>(async (asked) => {
  const { account, customer, args, now, origin, reachOut, objectionTo, sendMail } = asked;
  const { email } = customer;
  const objection = objectionTo(args.callback_uri);
  if (objection !== undefined) throw refuse.v3('validation', `callback_uri: ${objection}`);
  if (email === undefined)
    throw refuse.v3('validation', 'the customer has no e-mail address: set one with update_customer');
  if (customer.verified_email === email) {
    void callBack(reachOut, args.callback_uri, email);
    return {};
  }
  if (!sendMail)
    throw refuse.v3(
      'internal',
      'this service sends no mail; start it with the address of a mail server (CHATLEDGER_SMTP_URL)',
    );
  const secret = randomBytes(24).toString('base64url');
  const known =
    (customer.verification?.email === email &&
      customer.verification.asked + lifetime > now &&
      customer.verification.callbacks) ||
    [];
  const verification = {
    hash: hashOf(secret),
    email,
    asked: now,
    callbacks: [...known, args.callback_uri].slice(-kept),
  };
  account.store.transact(() => account.store.live.putCustomer({ ...customer, verification }));
  const link = `${origin}/customer/verify/${customer.id}/${secret}`;
  await sendMail({
    to: email,
    subject: 'Please confirm your e-mail address',
    text: `Open this link to confirm ${email}:\n\n${link}\n`,
  });
  return {};
});

/** Confirms the address that the link of a mail is for; false for a link that is not good any more. */
export function verify(account: ServiceAccount, id: string, secret: string, reachOut: ReachOut): boolean {
  const customer = account.store.live.customer(id);
  const { verification } = customer ?? {};
  const is_good = verification?.hash === hashOf(secret) && verification.asked + lifetime > account.now();
  if (!customer || !verification || !is_good) return false;
  const { verification: _, ...rest } = customer;
  const verified: CustomerRecord = { ...rest, verified_email: verification.email };
  account.store.transact(() => account.store.live.putCustomer(verified));
  for (const address of verification.callbacks) void callBack(reachOut, address, verification.email);
  return true;
}

/** Told once: the documents know no second try. */
async function callBack(reachOut: ReachOut, address: string, email: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await reachOut(address, { method: 'POST', headers, body: JSON.stringify({ email }) }, bounds).catch(() => undefined);
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
