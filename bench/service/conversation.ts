// One conversation over both chat APIs, as a customer and an agent have it: the actions of a thread in their order.
import { licenseOf } from '#service/license.ts';
import { newCustomer } from '#service/live/customers.ts';
import type { ChatStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import type { Asked, Answer } from './door.ts';

/** Sends an action when it is its turn. */
export type Act = (asked: Asked) => Promise<Answer>;

/** Actions of one conversation. */
export const actionsOfOne = 17;

/** Tokens of so many customers whom nobody knew before, and of the agent who talks to all of them. */
export function peopleOf(store: ChatStore, agent: string, customers: number) {
  const now = Math.floor(Date.now() / 1000);
  return store.transact(() => ({
    license: licenseOf(store).license_id,
    agent: { login: agent, token: mintToken(store, { agent, scopes: 'all' }) },
    customers: Array.from({ length: customers }, () => {
      const { id } = newCustomer(store, now, { name: 'Bench' });
      return mintToken(store, { kind: 'customer', agent: id, scopes: [] });
    }),
  }));
}

export type People = Omit<ReturnType<typeof peopleOf>, 'customers'>;

export async function converse(act: Act, { license, agent }: People, customer: string): Promise<void> {
  const asCustomer = (name: string, body: unknown) =>
    act({ name, path: `/v3.3/customer/action/${name}?license_id=${license}`, token: customer, body });
  const asAgent = (name: string, body: unknown) =>
    act({ name, path: `/v3.5/agent/action/${name}`, token: agent.token, body });
  const event = { type: 'message', text: 'How long does delivery take?' };
  const { chat_id = '', thread_id } = await asCustomer('start_chat', {
    continuous: true,
    chat: { thread: { events: [event] } },
  });
  await asAgent('add_user_to_chat', {
    ...{ chat_id, user_id: agent.login, user_type: 'agent', visibility: 'all' },
    ignore_requester_presence: true,
  });
  for (let line = 0; line < 5; line++) {
    await asAgent('send_event', { chat_id, event });
    await asCustomer('send_event', { chat_id, event });
  }
  await asAgent('get_chat', { chat_id });
  await asCustomer('update_thread_properties', { chat_id, thread_id, properties: { rating: { score: 1 } } });
  await asAgent('tag_thread', { chat_id, thread_id, tag: 'bench' });
  await asAgent('list_chats', { limit: 10 });
  await asAgent('deactivate_chat', { id: chat_id });
}
