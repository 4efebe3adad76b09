// Customers, agents and an owner who act through the three public APIs as chance wants; what the service refuses is counted, not hidden.
import { newCustomer } from '#service/live/customers.ts';
import { licenseOf } from '#service/license.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { basic } from '../../livechat/service/tiny.ts';

const owner = 'owner@example.com';

export type Act =
  | 'arrive'
  | 'return'
  | 'say'
  | 'answer'
  | 'transfer'
  | 'end'
  | 'add later'
  | 'rate'
  | 'tag'
  | 'hire'
  | 'let go'
  | 'make a group'
  | 'remove a group';

/** How often each was done and refused, so far. */
export type Acts = Readonly<Record<Act, { done: number; refused: number }>>;

/** How often each happens in a hundred minutes; more than one may happen in a minute. */
const often: Readonly<Record<Act, number>> = {
  ...{ arrive: 30, return: 6, say: 60, answer: 60, transfer: 8, end: 20, 'add later': 3, rate: 12, tag: 8 },
  ...{ hire: 1, 'let go': 0.4, 'make a group': 0.5, 'remove a group': 0.3 },
};

interface Thread {
  chat_id: string;
  thread_id: string;
}

interface Customer {
  id: string;
  token: string;
  /** Threads, the newest last. */
  threads: Thread[];
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Place {
  url: string;
  /** The file of the service: tokens and customers are made in it. */
  file: string;
  clock: { now: number };
  draw: () => number;
}

export function peopleOf({ url, file, clock, draw }: Place) {
  const opened = <T>(work: (store: ReturnType<typeof openStore>) => T): T => {
    const store = openStore(file);
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  const license = opened(licenseOf).license_id;
  const tokens = new Map<string, string>();
  const tokenOf = (agent: string): string => {
    const token = tokens.get(agent) ?? opened((store) => mintToken(store, { agent, scopes: 'all' }));
    tokens.set(agent, token);
    return token;
  };
  const customers: Customer[] = [];
  const gone = { agent: new Set<string>(), group: new Set<string>() };
  const acts = Object.fromEntries(Object.keys(often).map((act) => [act, { done: 0, refused: 0 }])) as Record<
    Act,
    { done: number; refused: number }
  >;

  async function send(path: string, headers: Record<string, string>, body?: unknown, method = 'POST'): Promise<Answer> {
    const answer = await fetch(url + path, {
      ...{ method, headers: { connection: 'close', 'content-type': 'application/json', ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text}`);
    return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> };
  }
  const asCustomer = ({ token }: Customer, action: string, body: unknown): Promise<Answer> =>
    send(`/v3.3/customer/action/${action}?license_id=${license}`, { authorization: `Bearer ${token}` }, body);
  const asAgent = (agent: string, action: string, body: unknown): Promise<Answer> =>
    send(`/v3.5/agent/action/${action}`, { authorization: `Bearer ${tokenOf(agent)}` }, body);
  const asOwner = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(path, basic(owner, 'secret'), body, method);

  const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(draw() * list.length)];
  const listed = async (path: string): Promise<Record<string, unknown>[]> =>
    (await asOwner('GET', path)).body as unknown as Record<string, unknown>[];
  const someAgent = async (): Promise<string | undefined> => {
    const logins = (await listed('/agents')).map(({ login }) => String(login));
    return oneOf(logins.filter((login) => login !== owner));
  };
  const someGroup = async (): Promise<number> => Number(oneOf(await listed('/groups'))?.id ?? 0);
  const message = { type: 'message', text: 'Something that somebody says' };
  const withChat = (): Customer | undefined => oneOf(customers.filter(({ threads }) => threads.length > 0).slice(-12));
  const threadOf = (customer: Customer): Thread | undefined => customer.threads.at(-1);

  /** The agent who is in the chat. */
  const holderOf = async (chat_id: string): Promise<string | undefined> => {
    const { body } = await asAgent(owner, 'get_chat', { chat_id });
    const users = (body.users ?? []) as { id: string; type: string; present?: boolean }[];
    return users.find(({ type, present }) => type === 'agent' && present !== false)?.id;
  };

  /** Whether it was done; without a reply there was nobody for it. */
  const does: Readonly<Record<Act, () => Promise<Answer | undefined>>> = {
    async arrive() {
      const { id } = opened((store) =>
        store.transact(() => newCustomer(store, clock.now, { name: `Guest ${customers.length}` })),
      );
      const token = opened((store) => mintToken(store, { kind: 'customer', agent: id, scopes: [] }));
      const customer: Customer = { id, token, threads: [] };
      customers.push(customer);
      const chat = { access: { group_ids: [await someGroup()] }, thread: { events: [message] } };
      return begun(customer, await asCustomer(customer, 'start_chat', { chat }));
    },
    async return() {
      const customer = withChat();
      const last = customer && threadOf(customer);
      if (!last) return undefined;
      return begun(customer, await asCustomer(customer, 'resume_chat', { chat: { id: last.chat_id } }), last.chat_id);
    },
    say: () => onThread((customer, { chat_id }) => asCustomer(customer, 'send_event', { chat_id, event: message })),
    answer: () =>
      onThread(async (_customer, { chat_id }) => {
        const agent = await holderOf(chat_id);
        return agent === undefined ? undefined : asAgent(agent, 'send_event', { chat_id, event: message });
      }),
    transfer: () =>
      onThread(async (_customer, { chat_id: id }) => {
        const agent = await holderOf(id);
        if (agent === undefined) return undefined;
        const { body } = await asAgent(agent, 'list_agents_for_transfer', { chat_id: id });
        const other = oneOf(body as unknown as { agent_id: string }[])?.agent_id ?? (await someAgent());
        const isToGroup = draw() < 0.4 || other === undefined;
        const target = isToGroup ? { type: 'group', ids: [await someGroup()] } : { type: 'agent', ids: [other] };
        return asAgent(agent, 'transfer_chat', { id, target, ignore_agents_availability: draw() < 0.7 });
      }),
    end: () =>
      onThread(async (customer, { chat_id: id }) => {
        if (draw() < 0.5) return asCustomer(customer, 'deactivate_chat', { id });
        const agent = await holderOf(id);
        return agent === undefined ? undefined : asAgent(agent, 'deactivate_chat', { id });
      }),
    'add later': () =>
      onThread((customer, { chat_id }) =>
        asCustomer(customer, 'send_event', { chat_id, event: message, attach_to_last_thread: true }),
      ),
    async rate() {
      const customer = withChat();
      const thread = oneOf(customer?.threads ?? []);
      if (!customer || !thread) return undefined;
      const rating = { score: draw() < 0.6 ? 1 : 0, comment: 'As it was' };
      return asCustomer(customer, 'update_thread_properties', { ...thread, properties: { rating } });
    },
    async tag() {
      const thread = oneOf(withChat()?.threads ?? []);
      if (!thread) return undefined;
      if (draw() < 0.3) return asOwner('PUT', `/chats/${thread.thread_id}/tags`, { tag: ['late', 'again'] });
      return asAgent(owner, draw() < 0.7 ? 'tag_thread' : 'untag_thread', { ...thread, tag: 'parcel' });
    },
    async hire() {
      const login = `new-${Math.floor(draw() * 1e9)}@example.com`;
      return asOwner('POST', '/agents', { login, name: 'Somebody New' });
    },
    async 'let go'() {
      const agent = await someAgent();
      if (agent === undefined) return undefined;
      gone.agent.add(agent);
      return asOwner('DELETE', `/agents/${encodeURIComponent(agent)}`);
    },
    async 'make a group'() {
      const agents = [(await someAgent()) ?? owner];
      return asOwner('POST', '/groups', { name: `Team ${Math.floor(draw() * 1e6)}`, agents, language: 'en' });
    },
    async 'remove a group'() {
      const made = (await listed('/groups')).filter(({ name }) => String(name).startsWith('Team '));
      const group = oneOf(made);
      if (!group) return undefined;
      gone.group.add(String(group.id));
      return asOwner('DELETE', `/groups/${String(group.id)}`);
    },
  };

  async function onThread(work: (customer: Customer, thread: Thread) => Promise<Answer | undefined>) {
    const customer = withChat();
    const thread = customer && threadOf(customer);
    return thread && work(customer, thread);
  }

  function begun(customer: Customer, answer: Answer, chat_id = String(answer.body.chat_id)): Answer {
    if (answer.status === 200) customer.threads.push({ chat_id, thread_id: String(answer.body.thread_id) });
    return answer;
  }

  return {
    /** Reads everything. */
    token: tokenOf(owner),
    /** Logins and ids of those whom the account no longer has: the service says nothing of them any more. */
    gone,
    acts: (): Acts => structuredClone(acts),
    /** What happens in one minute. */
    async live(): Promise<void> {
      for (const [act, share] of Object.entries(often) as [Act, number][]) {
        if (draw() * 100 >= share) continue;
        const answer = await does[act]();
        if (answer) acts[act][answer.status === 200 || answer.status === 201 ? 'done' : 'refused'] += 1;
      }
    },
  };
}
