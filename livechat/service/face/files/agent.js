// The agent's half, over the Agent Chat Web API: status, list of chats, and one that is open with all that can be done to it.
import { agentAction, poll, Refused } from './asking.js';
import { createInbox, customerOf, statusOf } from './inbox.js';
import { createLog, element } from './messages.js';
import { onEnter, one, put, show } from './parts.js';
import { comeBack, forget, goSignIn, keepSignedIn, signedIn, signOut } from './sign-in.js';

const listed = 25;

/** Starts it; `groups` are promised by the visitor's half, for the words of a transfer. */
export async function startAgent(groups) {
  const log = createLog(one('agent-log'));
  let chat;
  let open;
  let statuses = [];
  let known = [];
  void groups.then((found) => (known = found));

  const ask = async (name, body) => {
    try {
      return await agentAction(name, signedIn()?.token, body);
    } catch (error) {
      if (error.type === 'authentication') {
        forget();
        throw new Refused('authentication', 'The service does not know this token any more: sign in again.');
      }
      throw error;
    }
  };
  const alert = (text) => {
    put('agent-alert', text);
    show(one('agent-alert'), text !== '');
  };
  const inbox = createInbox(one('agent-list'), (id) => {
    open = id;
    void attempt(() => undefined).then(() => one('agent-open').scrollIntoView({ block: 'nearest' }));
  });

  async function refresh() {
    const agent = signedIn();
    show(one('agent-door'), agent === undefined);
    show(one('agent-desk'), agent !== undefined);
    show(one('agent-self'), agent !== undefined);
    if (!agent) return put('agent-state', 'Nobody is signed in');
    const { chats_summary } = await ask('list_chats', { limit: listed });
    statuses = await ask('list_routing_statuses');
    const asked = open;
    const found = open === undefined ? undefined : await ask('get_chat', { chat_id: open });
    // Another chat may have been chosen meanwhile.
    if (asked === open) chat = found;
    put('agent-state', agent.login);
    one('agent-accepting').checked = statusOfAgent(agent.login) === 'accepting_chats';
    show(one('agent-none'), chats_summary.length === 0);
    inbox(chats_summary, open);
    drawChat(agent.login);
  }
  const statusOfAgent = (login) => statuses.find(({ agent_id }) => agent_id === login)?.status;

  function drawChat(login) {
    show(one('agent-choose'), chat === undefined);
    show(one('agent-open'), chat !== undefined);
    if (!chat) return;
    const { thread, users } = chat;
    const names = new Map(users.map(({ id, name }) => [id, name]));
    const customer = users.find(({ type }) => type === 'customer');
    const present = users.filter(({ type, present: is_here }) => type === 'agent' && is_here !== false);
    const is_mine = present.some(({ id }) => id === login);
    put('agent-customer', customerOf(chat));
    put('agent-about', [customer?.email, statusOf(thread), `Chat ${thread.id}`].filter(Boolean).join(' · '));
    const nameOf = (id) => (id === login ? 'You' : (names.get(id) ?? (id === customer?.id ? 'Visitor' : id)));
    log(thread, { own: login, nameOf });
    const rating = thread.properties?.rating;
    const rated = rating?.score === undefined ? '' : ` Rated ${rating.score === 1 ? 'good' : 'bad'}.`;
    show(one('agent-closed'), !thread.active || rated !== '');
    put(
      'agent-closed',
      `${thread.active ? '' : 'This chat is closed.'}${rated}${rating?.comment ? ` “${rating.comment}”` : ''}`,
    );
    show(one('agent-say'), thread.active && is_mine);
    show(one('agent-take-row'), thread.active && !is_mine);
    const others = present.map(({ name }) => name).join(', ');
    put('agent-take-text', others ? `${others} has this chat.` : 'Nobody has this chat.');
    show(one('agent-transfer'), thread.active);
    drawTags(thread.tags ?? []);
    drawTargets(login);
  }
  function drawTags(tags) {
    const list = one('agent-tags');
    show(list, tags.length > 0);
    if (list.dataset.key === JSON.stringify(tags)) return;
    list.dataset.key = JSON.stringify(tags);
    list.replaceChildren(
      ...tags.map((tag) => {
        const item = element('li', tag);
        const button = element('button', 'Remove');
        button.type = 'button';
        button.setAttribute('aria-label', `Remove tag ${tag}`);
        button.addEventListener('click', () => attempt(() => ask('untag_thread', { ...threadOf(), tag })));
        item.append(button);
        return item;
      }),
    );
  }
  function drawTargets(login) {
    const select = one('agent-transfer').elements.target;
    const agents = statuses.filter(({ agent_id, status }) => agent_id !== login && status !== 'offline');
    const key = JSON.stringify([known, agents]);
    if (select.dataset.key === key) return;
    select.dataset.key = key;
    const chosen = select.value;
    const part = (label, entries) => {
      const made = element('optgroup');
      made.label = label;
      made.append(...entries.map(([text, value]) => new Option(text, value)));
      return made;
    };
    select.replaceChildren(
      new Option('Choose', ''),
      part(
        'Groups',
        known.map(({ id, name }) => [name, `group ${id}`]),
      ),
      part(
        'Agents',
        agents.map(({ agent_id }) => [agent_id, `agent ${agent_id}`]),
      ),
    );
    select.value = [...select.options].some(({ value }) => value === chosen) ? chosen : '';
  }

  const again = poll(refresh, (error) => {
    if (!error) return;
    if (!(error instanceof Refused)) console.error(error);
    if (signedIn()) put('agent-state', 'No answer');
    else {
      alert(error.message);
      void again();
    }
  });
  const todo = {
    agent_offline:
      'This agent does not accept chats. Choose another agent, or turn on “Accepting chats” to take the chat.',
    groups_offline: 'Nobody of this group is online. Choose another group, or an agent.',
  };
  /** Does what a button is for, and says what the service has against it and what to do. */
  async function attempt(work) {
    alert('');
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) console.error(error);
      alert(todo[error.type] ?? error.message);
    }
    await again();
  }
  const threadOf = () => ({ chat_id: chat.id, thread_id: chat.thread.id });
  const on = (id, type, work) =>
    one(id).addEventListener(type, (event) => {
      if (type === 'submit') event.preventDefault();
      void attempt(() => work(event.currentTarget));
    });

  on('agent-sign-in', 'click', goSignIn);
  on('agent-sign-out', 'click', async () => {
    await signOut();
    [chat, open] = [];
  });
  on('agent-token', 'submit', async ({ elements }) => {
    const token = elements.token.value.trim();
    // A token of somebody else than the login says so at the first step, and is not kept.
    await agentAction('list_routing_statuses', token);
    keepSignedIn({ token, login: elements.login.value.trim() });
    elements.token.value = '';
  });
  on('agent-accepting', 'change', ({ checked }) =>
    ask('set_routing_status', { status: checked ? 'accepting_chats' : 'not_accepting_chats' }),
  );
  onEnter(one('agent-say'));
  on('agent-say', 'submit', async ({ elements: { text } }) => {
    const said = text.value;
    if (said.trim() === '') return;
    text.value = '';
    const note = one('agent-note');
    const visibility = note.checked ? 'agents' : 'all';
    try {
      await ask('send_event', { chat_id: chat.id, event: { type: 'message', text: said, visibility } });
      note.checked = false;
    } catch (error) {
      text.value ||= said;
      throw error;
    }
  });
  const present = { ignore_requester_presence: true };
  on('agent-take', 'click', async () => {
    await ask('transfer_chat', { id: chat.id, target: { type: 'agent', ids: [signedIn().login] }, ...present });
  });
  on('agent-close', 'click', () => ask('deactivate_chat', { id: chat.id, ...present }));
  on('agent-tag', 'submit', async ({ elements: { tag } }) => {
    await ask('tag_thread', { ...threadOf(), tag: tag.value });
    tag.value = '';
  });
  on('agent-transfer', 'submit', async ({ elements: { target } }) => {
    const [type, ...rest] = target.value.split(' ');
    const id = rest.join(' ');
    await ask('transfer_chat', {
      ...{ id: chat.id, target: { type, ids: [type === 'group' ? Number(id) : id] } },
      ...present,
    });
    target.value = '';
  });
  await attempt(comeBack);
}
