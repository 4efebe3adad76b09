// Who loses a chat and why, and what a chat says about its customer: the system messages that no other test causes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemMessages, unsaidSystemMessages } from '#contract/system-messages.ts';
import type { SendMail } from '#service/mail.ts';
import type { ServiceOptions } from '#service/service.ts';
import { mintToken } from '#service/tokens.ts';
import { ann, basic, bob } from '../tiny.ts';
import { message, parties } from './parties.ts';

type World = Awaited<ReturnType<typeof parties>>;
let world: World;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const mistakes: string[] = [];

async function open(options: Partial<ServiceOptions> = {}): Promise<void> {
  mistakes.length = 0;
  const onMistake = (error: unknown, where: string) => mistakes.push(`${where}: ${(error as Error).message}`);
  world = await parties({}, { onMistake, ...options });
  ends.push(world.end);
}

const owner = 'owner@example.com';
const others: Record<string, string> = { [ann]: bob, [bob]: ann };
const nameOf: Record<string, string> = { [ann]: 'Ann', [bob]: 'Bob' };

/** A customer's chat in group 1, with a line of theirs. */
async function begun(customer = world.customer({ name: 'Mary', email: 'mary@example.com' })) {
  const first = { access: { group_ids: [1] }, thread: { events: [message('Hello?')] } };
  const { chat_id } = (await customer('start_chat', { chat: first })).body;
  const { users } = (await world.agent(owner)('get_chat', { chat_id })).body;
  const holder = users.find(({ type, present }) => type === 'agent' && present)!.id;
  return { customer, chat_id, holder, colleague: others[holder]! };
}

/** The system messages of the chat, and who holds it. */
async function told(chat_id: string) {
  const { thread, users } = (await world.agent(owner)('get_chat', { chat_id })).body;
  const messages = thread!.events!.flatMap((event) =>
    event.type === 'system_message' ? [[event.system_message_type, event.text]] : [],
  );
  const holders = users.flatMap(({ id, type, present }) => (type === 'agent' && present ? [id] : []));
  return { messages, holders, active: thread!.active, queue: thread!.queue?.position };
}

const change = async (login: string, what: unknown, by = basic(owner, 'secret')) => {
  const answer = await fetch(`${world.service().url}/agents/${login}`, {
    method: 'PUT',
    headers: { ...by, 'content-type': 'application/json' },
    body: JSON.stringify(what),
  });
  expect(answer.status).toBe(200);
};
const setOffline = (login: string, by?: Record<string, string>) => change(login, { status: 'offline' }, by);
const own = (login: string) => basic(login, `${nameOf[login]!.toLowerCase()}key`.padEnd(32, '0'));

async function configure(action: string, body: unknown) {
  const token = world.opened((store) => mintToken(store, { agent: owner, scopes: 'all', client_id: 'maker' }));
  const answer = await fetch(`${world.service().url}/v3.5/configuration/action/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const rules = async (chat_assignment: unknown, group?: number) => {
  const properties = { chat_assignment };
  const asked = group === undefined ? { properties } : { id: group, properties };
  return configure(group === undefined ? 'update_license_properties' : 'update_group_properties', asked);
};
const pause = async (login: string) => {
  await world.agent(login)('set_routing_status', { status: 'not_accepting_chats' });
};

describe('an agent who goes', () => {
  const reasons = [
    { reason: 'signed_out', words: 'had signed out', go: (login: string) => setOffline(login, own(login)) },
    { reason: 'remotely_signed_out', words: 'had been remotely signed out', go: (login: string) => setOffline(login) },
    {
      reason: 'deleted',
      words: 'account had been deleted',
      go: async (login: string) => void (await world.ask(`/agents/${login}`, undefined, 'DELETE')),
    },
  ];
  for (const { reason, words, go } of reasons) {
    it(`loses the chat to a colleague: ${reason}`, async () => {
      await open();
      const { chat_id, holder, colleague } = await begun();
      await go(holder);
      world.clock.now += 1;
      const text = `Chat assigned to ${nameOf[colleague]} because ${nameOf[holder]} ${words}`;
      expect(await told(chat_id)).toEqual({
        ...{ messages: [[`routing.assigned_${reason}`, text]], holders: [colleague] },
        ...{ active: true, queue: undefined },
      });
    });
    it(`leaves the customer waiting when nobody else is free: ${reason}`, async () => {
      await open();
      const { chat_id, holder, colleague } = await begun();
      await pause(colleague);
      await go(holder);
      world.clock.now += 1;
      const text = `Customer was queued because ${nameOf[holder]} ${words.replace('had been deleted', 'has been deleted')}`;
      expect(await told(chat_id)).toEqual({
        ...{ messages: [[`routing.unassigned_${reason}`, text]], holders: [] },
        ...{ active: true, queue: 1 },
      });
    });
    it(`ends the chat when nobody else is free and the queue is off: ${reason}`, async () => {
      await open();
      expect((await rules({ queue_enabled: false })).status).toBe(200);
      const { customer, chat_id, holder, colleague } = await begun();
      await pause(colleague);
      await go(holder);
      world.clock.now += 1;
      const text = `The chat was closed because ${nameOf[holder]} ${words}`;
      expect(await told(chat_id)).toEqual({
        ...{ messages: [[`routing.archived_${reason}`, text]], holders: [] },
        ...{ active: false, queue: undefined },
      });
      expect((await customer('send_event', { chat_id, event: message('Hello?') })).error?.type).toBe('chat_inactive');
    });
  }
  it('is not signed out by others whose shift ends after others had set them offline before', async () => {
    await open();
    await setOffline(ann);
    world.clock.now += 60;
    await change(ann, { status: 'accepting chats' }, own(ann));
    await pause(bob);
    world.clock.now += 60;
    const { chat_id } = await begun();
    await setOffline(ann, own(ann));
    world.clock.now += 1;
    expect((await told(chat_id)).messages.map(([type]) => type)).toEqual(['routing.unassigned_signed_out']);
  });
  it('from the groups of a chat loses it for another reason', async () => {
    for (const [rule, type, text] of [
      [undefined, 'routing.assigned_other', 'The chat was closed'],
      ['pause', 'routing.unassigned_other', 'Chat is unassigned'],
      ['queue off', 'routing.archived_other', 'The chat was closed'],
    ] as const) {
      await open();
      if (rule === 'queue off') await rules({ queue_enabled: false });
      const { chat_id, holder, colleague } = await begun();
      if (rule !== undefined) await pause(colleague);
      await change(holder, { groups: [2] });
      world.clock.now += 1;
      const seen = await told(chat_id);
      expect(seen.messages).toEqual([[type, text]]);
      expect(seen.holders).toEqual(rule === undefined ? [colleague] : []);
    }
  });
});

describe('a customer without a reply', () => {
  it('gets another agent after the minutes that the group says, and again after as many', async () => {
    await open();
    expect((await rules({ reassign_after_minutes: 30 })).status).toBe(200);
    expect((await rules({ reassign_after_minutes: 5 }, 1)).status).toBe(200);
    const { customer, chat_id, holder, colleague } = await begun();
    const text = (to: string, from: string) =>
      `Chat assigned to ${nameOf[to]} because ${nameOf[from]} hasn't replied in 5 minutes`;
    world.clock.now += 299;
    expect((await told(chat_id)).holders).toEqual([holder]);
    world.clock.now += 1;
    const first = ['routing.assigned_inactive', text(colleague, holder)];
    expect(await told(chat_id)).toMatchObject({ messages: [first], holders: [colleague] });
    world.clock.now += 299;
    expect((await told(chat_id)).holders).toEqual([colleague]);
    world.clock.now += 1;
    const second = ['routing.assigned_inactive', text(holder, colleague)];
    expect(await told(chat_id)).toMatchObject({ messages: [first, second], holders: [holder] });
    // Whoever has been answered waits for nobody, until the next line.
    await world.agent(holder)('send_event', { chat_id, event: message('Here I am.') });
    world.clock.now += 600;
    expect((await told(chat_id)).holders).toEqual([holder]);
    await customer('send_event', { chat_id, event: message('Thanks, and…') });
    world.clock.now += 299;
    expect((await told(chat_id)).holders).toEqual([holder]);
    world.clock.now += 1;
    expect((await told(chat_id)).holders).toEqual([colleague]);
  });
  it('keeps the agent without such a rule, with one of 0, and while nobody else is free', async () => {
    await open();
    const { chat_id, holder, colleague } = await begun();
    world.clock.now += 1_100;
    expect((await told(chat_id)).holders).toEqual([holder]);
    await rules({ reassign_after_minutes: 5 });
    await rules({ reassign_after_minutes: 0 }, 1);
    world.clock.now += 1;
    expect((await told(chat_id)).holders).toEqual([holder]);
    await pause(colleague);
    await rules({ reassign_after_minutes: 5 }, 1);
    world.clock.now += 1;
    expect(await told(chat_id)).toMatchObject({ messages: [], holders: [holder] });
  });
});

describe('a customer whom an agent changes during the chat', () => {
  it('is named with what is new, by agents and by bots, and with nothing when nothing is', async () => {
    await open();
    const { customer, chat_id } = await begun();
    const { id } = customer;
    const change_of = (profile: object) => world.agent(ann)('update_customer', { id, ...profile });
    await change_of({ name: 'Mary', email: 'mary@example.com' });
    await change_of({ name: 'Maria' });
    await change_of({ name: 'Maria', email: 'm@example.com' });
    await change_of({ name: 'Ma', email: 'ma@example.com' });
    await change_of({ avatar: 'https://example.com/a.png' });
    const made = await configure('create_bot', { name: 'Robo' });
    expect(made.status).toBe(200);
    const bot = world.agent(ann, 'all', { 'x-author-id': made.body.id as string });
    await bot('update_customer', { id, name: 'M' });
    await bot('update_customer', { id, email: 'x@example.com' });
    await bot('update_customer', { id, name: 'N', email: 'n@example.com' });
    await customer('update_customer', { name: 'Own' });
    expect((await told(chat_id)).messages.map(([type]) => type)).toEqual(Array(6).fill('customer_updated'));
    expect((await told(chat_id)).messages.map(([, text]) => text)).toEqual([
      "Ann has changed customer's name to Maria",
      "Ann has changed customer's email to m@example.com",
      "Ann has changed customer's name and email to Ma, ma@example.com",
      'Customer’s name has been changed to M',
      'Customer’s email has been changed to x@example.com',
      'Customer’s name and email has been changed to N, n@example.com',
    ]);
    // The name that is told is that of the next chat.
    await customer('deactivate_chat', { id: chat_id });
    expect((await world.agent(ann)('get_customer', { id })).body).toMatchObject({
      name: 'Own',
      email: 'n@example.com',
    });
  });
});

describe('without a queue', () => {
  it('customers are told that nobody is there when all are busy, and nobody is transferred to busy agents', async () => {
    await open();
    await change(ann, { max_chats_count: 1 });
    await change(bob, { max_chats_count: 1 });
    const [one] = [await begun(), await begun()];
    const late = world.customer();
    const groups = async () => (await late('list_group_statuses', { group_ids: [1] })).body.groups_status;
    const start = () => late('start_chat', { chat: { access: { group_ids: [1] } } });
    expect(await groups()).toEqual({ 1: 'online_for_queue' });
    expect((await late('get_predicted_agent')).body.queue).toBe(true);
    await rules({ queue_enabled: false }, 1);
    expect(await groups()).toEqual({ 1: 'offline' });
    expect((await start()).error?.type).toBe('groups_offline');
    // All agents are another group, which has its queue.
    expect((await late('get_predicted_agent')).body.queue).toBe(true);
    await rules({ queue_enabled: false });
    expect((await late('get_predicted_agent')).error?.type).toBe('group_unavailable');
    const moved = { id: one!.chat_id, target: { type: 'group', ids: [1] }, ignore_agents_availability: true };
    expect((await world.agent(one!.holder)('transfer_chat', moved)).error?.type).toBe('agent_offline');
    await rules({ queue_enabled: true }, 1);
    expect((await start()).status).toBe(200);
  });
});

describe('a customer who asks for a transcript', () => {
  const mails: Parameters<SendMail>[0][] = [];
  let refusals = 0;
  const sendMail: SendMail = (mail) => {
    if (refusals > 0) {
      refusals--;
      return Promise.reject(new Error('450 not now'));
    }
    mails.push(mail);
    return Promise.resolve();
  };
  async function asked() {
    mails.length = 0;
    await open({ sendMail });
    const { customer, chat_id, holder } = await begun();
    await customer('send_event', { chat_id, event: message('My number is 7.') });
    const thread_id = (await customer('get_chat', { chat_id })).body.thread!.id;
    const as_holder = world.agent(holder);
    await as_holder('send_event', { chat_id, event: { ...message('A regular.'), visibility: 'agents' } });
    const set = (transcript_email: unknown) =>
      customer('update_thread_properties', { chat_id, thread_id, properties: { routing: { transcript_email } } });
    return { customer, chat_id, thread_id, set };
  }
  const types = async (chat_id: string) => (await told(chat_id)).messages.map(([type]) => type);

  it('gets it by mail when the chat has ended, with the lines that customers see', async () => {
    const { customer, chat_id, set } = await asked();
    expect((await set('nobody')).error?.message).toContain('transcript_email: must be an e-mail address');
    expect((await set('mary@example.com')).status).toBe(200);
    expect((await set('mary@example.com')).status).toBe(200);
    expect((await told(chat_id)).messages).toEqual([
      ['transcript_requested', 'Mary requested the chat transcript to be sent to mary@example.com'],
    ]);
    await customer('deactivate_chat', { id: chat_id });
    expect(mails).toEqual([]);
    world.clock.now += 1;
    await vi.waitFor(async () => expect((await told(chat_id)).messages).toHaveLength(3));
    expect((await told(chat_id)).messages.at(-1)).toEqual([
      'transcript_sent',
      'Mary sent the chat transcript to mary@example.com',
    ]);
    const [mail, ...others] = mails;
    expect(others).toEqual([]);
    expect(mail!.to).toBe('mary@example.com');
    expect(mail!.text).toContain('Mary: My number is 7.');
    expect(mail!.text).not.toContain('A regular.');
    world.clock.now += 86_400;
    await types(chat_id);
    expect(mails).toHaveLength(1);
  });
  it('gets it after the mail server has refused it, also over a restart, and is told nothing when it is given up', async () => {
    const { customer, chat_id, set } = await asked();
    await set('mary@example.com');
    await customer('deactivate_chat', { id: chat_id });
    const before = ['transcript_requested', 'manual_archived_customer'];
    refusals = 1;
    world.clock.now += 1;
    await types(chat_id);
    await vi.waitFor(() => expect(refusals).toBe(0));
    await world.restart();
    world.clock.now += 58;
    expect(await types(chat_id)).toEqual(before);
    world.clock.now += 2;
    await vi.waitFor(async () => expect(await types(chat_id)).toEqual([...before, 'transcript_sent']));

    const second = await asked();
    await second.set('mary@example.com');
    await second.customer('deactivate_chat', { id: second.chat_id });
    refusals = 6;
    for (let tries = 1; tries <= 6; tries++) {
      world.clock.now += 86_400;
      await types(second.chat_id);
      await vi.waitFor(() => expect(refusals).toBe(Math.max(1, 6 - tries)));
    }
    expect(await types(second.chat_id)).toEqual(before);
    expect(mails).toEqual([]);
    const lost = `the transcript of thread ${second.thread_id} is given up`;
    expect(mistakes).toEqual([`transcripts by mail: ${lost}: the mail server did not take it in 5 tries`]);
    refusals = 0;
  });
  it('has none where there is no mail server, which is said once', async () => {
    await open();
    const { customer, chat_id } = await begun();
    const { id: thread_id } = (await customer('get_chat', { chat_id })).body.thread!;
    const properties = { routing: { transcript_email: 'mary@example.com' } };
    expect((await customer('update_thread_properties', { chat_id, thread_id, properties })).status).toBe(200);
    await customer('deactivate_chat', { id: chat_id });
    for (let seconds = 0; seconds < 3; seconds++) {
      world.clock.now += 1;
      expect(await types(chat_id)).toEqual(['transcript_requested', 'manual_archived_customer']);
    }
    expect(mistakes).toEqual([
      `transcripts by mail: the transcript of thread ${thread_id} is not sent: this service has no mail server`,
    ]);
  });
  it('has none without a request, nor when it was taken back', async () => {
    const { customer, chat_id, thread_id, set } = await asked();
    await set('mary@example.com');
    const properties = { routing: ['transcript_email'] };
    expect((await customer('delete_thread_properties', { chat_id, thread_id, properties })).status).toBe(200);
    await customer('deactivate_chat', { id: chat_id });
    world.clock.now += 1;
    expect(await types(chat_id)).toEqual(['transcript_requested', 'manual_archived_customer']);
    expect(mails).toEqual([]);
  });
});

it('rules of another type are refused with what they must be, and change nothing', async () => {
  await open();
  for (const [wrong, words] of [
    [{ queue_enabled: 'no' }, 'queue_enabled: must be true or false'],
    [{ reassign_after_minutes: -1 }, 'reassign_after_minutes: must be at least 0'],
    [{ reassign_after_minutes: 61 }, 'reassign_after_minutes: must be at most 60'],
    [{ reassign_after_minutes: 'soon' }, 'reassign_after_minutes: must be a whole number'],
  ] as const) {
    const { status, body } = await rules(wrong);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(words);
  }
  expect((await rules({ of_our_own: 'kept' })).status).toBe(200);
});

it('all 42 messages that the vendor documents are said, or there is a reason why not', () => {
  const said = Object.values(systemMessages).flatMap(({ texts }) => texts);
  expect(said.length + Object.keys(unsaidSystemMessages).length).toBe(42);
  expect(Object.keys(systemMessages).filter((type) => Object.hasOwn(unsaidSystemMessages, type))).toEqual([]);
});
