// A small account in which agents and customers act over the two v3 APIs.
import { agentActions, type AgentActionName, type AgentAnswer } from '#contract/agent-chat.ts';
import { customerChat, type CustomerActionName, type CustomerAnswer } from '#contract/customer-chat.ts';
import { newCustomer } from '#service/live/customers.ts';
import { licenseOf } from '#service/license.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import type { ServiceOptions } from '#service/service.ts';
import { ann, at, bob, tinyService, type Tiny } from '../tiny.ts';

export const noon = '2026-05-06T12:00:00Z';
const accepting = 'accepting chats' as const;

export interface Reply<T> {
  status: number;
  /** The answer, checked against the contract; of an error the body as it came. */
  body: T;
  error?: { type: string; message: string; data?: unknown };
}

/** Ann is in group 1, Bob in groups 1 and 2; both accept chats from eleven to eight in the evening unless told otherwise. */
export async function parties(own: Partial<Tiny> = {}, options: Partial<ServiceOptions> = {}) {
  const statuses = [ann, bob].map((agent) => ({
    ...{ agent, status: accepting },
    ...{ from: at('2026-05-06T11:00:00Z'), to: at('2026-05-06T20:00:00Z') },
  }));
  const runs = await tinyService({ now: noon, statuses, ...own }, options);
  const opened = <T>(work: (store: ReturnType<typeof openStore>) => T): T => {
    const store = openStore(runs.options.file);
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  const license = opened(licenseOf).license_id;
  /** One for all tokens and customers: to open it takes longer than to mint hundreds. */
  let beside: ReturnType<typeof openStore> | undefined;
  const left = (): void => {
    beside?.close();
    beside = undefined;
  };
  const kept = (): ReturnType<typeof openStore> => (beside ??= openStore(runs.options.file));
  const minted = (token: Parameters<typeof mintToken>[1], now?: number): string => mintToken(kept(), token, now);
  const post = async <T>(
    url: string,
    token: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply<T>> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as { error?: Reply<T>['error'] };
    return { status: answer.status, body: json as T, ...(json.error && { error: json.error }) };
  };
  const signedIn = (id: string) => {
    const token = minted({ kind: 'customer', agent: id, scopes: [] });
    const act = async <Name extends CustomerActionName>(
      name: Name,
      body: unknown = {},
    ): Promise<Reply<CustomerAnswer<Name>>> => {
      const url = `${runs.service().url}/v3.3/customer/action/${name}?license_id=${license}`;
      const reply = await post<CustomerAnswer<Name>>(url, token, body, {});
      if (reply.status === 200) customerChat[name].answer.parse(reply.body);
      return reply;
    };
    /** The address of a file that the customer uploads. */
    const upload = async (file: File): Promise<string> => {
      const body = new FormData();
      body.append('file', file);
      const url = `${runs.service().url}/v3.3/customer/action/upload_file?license_id=${license}`;
      const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
      return customerChat.upload_file.answer.parse(await answer.json()).url;
    };
    return Object.assign(act, { id, token, upload });
  };
  return {
    ...runs,
    license,
    opened,
    minted,
    restart(): Promise<void> {
      left();
      return runs.restart();
    },
    end(): Promise<void> {
      left();
      return runs.end();
    },
    /** An agent with a token of these scopes. */
    agent(login: string, scopes: readonly string[] | 'all' = 'all', headers: Record<string, string> = {}) {
      const token = minted({ agent: login, scopes });
      return async <Name extends AgentActionName>(
        name: Name,
        body: unknown = {},
      ): Promise<Reply<AgentAnswer<Name>>> => {
        const url = `${runs.service().url}/v3.5/agent/action/${name}`;
        const reply = await post<AgentAnswer<Name>>(url, token, body, headers);
        if (reply.status === 200) agentActions[name].answer.parse(reply.body);
        return reply;
      };
    },
    /** A new customer who is signed in. */
    customer(profile: Parameters<typeof newCustomer>[2] = {}) {
      const store = kept();
      const { id } = store.transact(() => newCustomer(store, runs.clock.now, profile));
      return signedIn(id);
    },
    /** A customer who is there already, signed in. */
    signedIn,
  };
}

export const message = (text: string) => ({ type: 'message', text });
