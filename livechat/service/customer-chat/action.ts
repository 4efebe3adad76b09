// Interface of an action of the Customer Chat Web API v3.3.
import type { CustomerActionName, CustomerAnswer, CustomerArgs } from '#contract/customer-chat.ts';
import type { ServiceAccount } from '../account.ts';
import type { SendMail } from '../mail.ts';
import type { CustomerRecord } from '../live-tables.ts';
import type { Author } from '../live/members.ts';
import { findChat, type Chat } from '../live/threads.ts';
import { act, type Turn } from '../live/turn.ts';
import type { outgoing } from '../outgoing.ts';
import { refuse } from '../refusals.ts';

export type ReachOut = (
  address: string,
  request: Parameters<typeof outgoing>[1],
  bounds: Parameters<typeof outgoing>[2],
) => ReturnType<typeof outgoing>;

interface CustomerRequest<Name extends CustomerActionName> {
  account: ServiceAccount;
  /** Who is signed in; undefined for the getters that need no token. */
  customer: CustomerRecord | undefined;
  args: CustomerArgs<Name>;
  /** Unix seconds. */
  now: number;
  /** Scheme, host and port under which the service was called. */
  origin: string;
  headers: Headers;
  /** Asks an address that the caller named, as far as callers may have it asked. */
  reachOut: ReachOut;
  /** What is to be said against such an address before it is asked, by what is written. */
  objectionTo: (address: string) => string | undefined;
  /** Undefined when the service sends no mail. */
  sendMail: SendMail | undefined;
  client_id?: string | undefined;
}

export type CustomerAction<Name extends CustomerActionName> = (
  asked: CustomerRequest<Name>,
) => CustomerAnswer<Name> | Promise<CustomerAnswer<Name>>;

/** A request of somebody who is signed in. */
export type SignedIn<Name extends CustomerActionName> = CustomerRequest<Name> & { customer: CustomerRecord };

export const signedIn =
  <Name extends CustomerActionName>(
    work: (asked: SignedIn<Name>) => CustomerAnswer<Name> | Promise<CustomerAnswer<Name>>,
  ): CustomerAction<Name> =>
  (asked) => {
    const { customer } = asked;
    if (!customer) throw refuse.v3('authentication', 'No Bearer token');
    return work({ ...asked, customer });
  };

/** An action that writes: all of it or nothing. */
export const writing = <Name extends CustomerActionName>(
  work: (turn: Turn, asked: SignedIn<Name>) => CustomerAnswer<Name>,
): CustomerAction<Name> =>
  signedIn((asked) =>
    act(
      asked.account,
      (turn) => {
        const answer = work(turn, asked);
        const { client_id } = asked;
        if (client_id !== undefined) for (const change of turn.changes) change.client_id = client_id;
        return answer;
      },
      asked.origin,
    ),
  );

export const authorOf = ({ id, name = '' }: CustomerRecord): Author => ({
  id,
  type: 'customer',
  name: name || 'Visitor',
});

/** The customer's own chat. Throws not_found for any other, as for one that is not there. */
export function ownChat(account: ServiceAccount, customer: CustomerRecord, id: string): Chat {
  const chat = id === customer.chat_id ? findChat(account, id) : undefined;
  if (!chat) throw refuse.v3('not_found', `there is no chat ${id}`);
  return chat;
}
