// What becomes of the simulated chats of an agent who is removed: those that are open go on without the agent, those to come go to colleagues.
import type { ServiceAccount } from '../account.ts';
import type { LightChat } from '../light.ts';
import type { ChatRecord } from '../records.ts';
import { liveOf } from './threads.ts';

/** Writes the changed chats, and returns their indexed form for memory. The agent is still among the agents of the account. */
export function releaseChats(account: ServiceAccount, login: string): LightChat[] {
  const { store, chats } = account;
  const now = account.now();
  const own: LightChat[] = [];
  for (let place = chats.firstReaching(now + 1); place < chats.length; place++) {
    if (chats.endedAt(place) <= now) continue;
    const chat = chats.at(place);
    if (!chat.holders && chat.agents.includes(login)) own.push(chat);
  }
  return own.flatMap(({ number, started }) => {
    const record = store.body(number);
    if (started > now) {
      const heir = colleagueAt(account, login, record);
      return heir ? store.changeChat(number, handedTo(heir, login, record)) : [];
    }
    const { chat_id } = store.live.customerByVisitor(record.visitor.id)!;
    liveOf({ chat_id, number, state: 'counted', created: started, record }, now);
    return store.changeChat(number, record);
  });
}

/** A chat to come as it is once colleagues have it in the place of agents who were removed. */
export const handedOn = (account: ServiceAccount, chat: ChatRecord): ChatRecord =>
  chat.agents.reduce((own, { email }) => {
    const heir = account.removed.has(email) ? colleagueAt(account, email, own) : undefined;
    return heir ? handedTo(heir, email, own) : own;
  }, chat);

type Colleague = ChatRecord['agents'][number];

/** Somebody of the chat's groups who is there when it begins, else anybody who is, else anybody of the groups. */
function colleagueAt(
  { staff, statuses }: ServiceAccount,
  login: string,
  { groups, started, agents }: ChatRecord,
): Colleague | undefined {
  const there = statuses.at(started);
  const others = staff.agents.filter(
    (agent) => agent.login !== login && !agents.some(({ email }) => email === agent.login),
  );
  const isOfGroups = (own: readonly number[]): boolean => groups.some((group) => group === 0 || own.includes(group));
  const found =
    others.find((agent) => there.has(agent.login) && isOfGroups(agent.groups)) ??
    others.find((agent) => there.has(agent.login)) ??
    others.find((agent) => isOfGroups(agent.groups));
  return found && { email: found.login, display_name: found.name };
}

/** The same chat as the colleague would have it. */
function handedTo(heir: Colleague, login: string, record: ChatRecord): ChatRecord {
  const { display_name: name } = record.agents.find(({ email }) => email === login)!;
  return {
    ...record,
    agents: record.agents.map((agent) => (agent.email === login ? heir : agent)),
    events: record.events.map((event) => ({
      ...event,
      text: event.user_type === 'visitor' ? event.text : event.text.replaceAll(name, heir.display_name),
      ...(event.agent_id === login && { agent_id: heir.email }),
      ...(event.author_name === name && { author_name: heir.display_name }),
    })),
  };
}
