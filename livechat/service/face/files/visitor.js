// The visitor's half, over the Customer Chat Web API: starts a chat, talks, sends files, rates, ends and starts again.
import { customerAction, customerToken, poll, Refused, uploadOfCustomer } from './asking.js';
import { createLog } from './messages.js';
import { onEnter, one, put, show } from './parts.js';

const kept = 'chat page: token of the visitor';
const offered = { online: '', online_for_queue: ' (queue)', offline: ' (nobody online)' };
const nobody = 'Nobody of this group is online. Choose another group, or let the agent on the right accept chats.';

/** Starts it; the answer is the groups of the account, once they are known. */
export function startVisitor() {
  const log = createLog(one('visitor-log'));
  let known = { id: undefined, chat: undefined, statuses: {}, groups: [] };
  let is_starting_again = false;
  let foundGroups;
  const groups = new Promise((resolve) => (foundGroups = resolve));

  async function ask(name, body) {
    const had = sessionStorage.getItem(kept);
    try {
      return await customerAction(name, had ?? (await renewed()), body);
    } catch (error) {
      if (!had || error.type !== 'authentication') throw error;
      return customerAction(name, await renewed(), body);
    }
  }
  async function renewed() {
    const { access_token } = await customerToken();
    sessionStorage.setItem(kept, access_token);
    return access_token;
  }

  async function refresh() {
    if (known.id === undefined) await meet();
    const { chats_summary } = await ask('list_chats');
    const chat = chats_summary[0] && (await ask('get_chat', { chat_id: chats_summary[0].id }));
    const is_talking = chat?.thread?.active === true;
    const { statuses } = known;
    known = {
      ...known,
      chat,
      statuses: is_talking ? statuses : (await ask('list_group_statuses', { all: true })).groups_status,
    };
    draw();
  }
  async function meet() {
    const { id, name = '', email = '' } = await ask('get_customer');
    const { form } = await ask('get_form', { group_id: 0, type: 'prechat' });
    const chooser = form?.fields.find(({ type }) => type === 'group_chooser');
    known = {
      ...known,
      id,
      groups: chooser?.options.map(({ label, group_id }) => ({ id: group_id, name: label })) ?? [],
    };
    foundGroups(known.groups);
    start.elements.name.value ||= name;
    start.elements.email.value ||= email;
  }

  const start = one('visitor-start');
  const say = one('visitor-say');
  const rate = one('visitor-rate');

  function draw() {
    const { chat } = known;
    const thread = chat?.thread;
    const is_talking = thread?.active === true;
    const is_form = !thread || (!is_talking && is_starting_again);
    show(start, is_form);
    show(one('visitor-chat'), !is_form);
    drawGroups();
    const agent = chat?.users.find(({ type, present }) => type === 'agent' && present);
    put('visitor-state', stateOf(thread, agent));
    show(one('visitor-again'), !is_form && !is_talking);
    if (is_form) return;
    const names = new Map(chat.users.map(({ id, name }) => [id, name]));
    log(thread, { own: known.id, nameOf: (id) => (id === known.id ? 'You' : (names.get(id) ?? 'Agent')) });
    show(say, is_talking);
    const { queue } = thread;
    show(one('visitor-queue'), queue !== undefined);
    if (queue) put('visitor-queue', `Your place in the queue: ${queue.position}. About ${minutes(queue.wait_time)}.`);
    drawRating(thread);
  }
  function drawGroups() {
    const select = start.elements.group;
    const entries = known.groups.map(({ id, name }) => [String(id), `${name}${offered[known.statuses[id]] ?? ''}`]);
    if (select.options.length !== entries.length) select.replaceChildren(...entries.map(([id]) => new Option('', id)));
    entries.forEach(([, label], index) => {
      if (select.options[index].text !== label) select.options[index].text = label;
    });
  }
  function drawRating({ id, properties: { rating }, queue }) {
    show(rate, queue === undefined);
    const given = `${id} ${rating?.score} ${rating?.comment}`;
    if (rate.dataset.given === given) return;
    rate.dataset.given = given;
    rate.elements.score.value = rating ? String(rating.score) : '';
    for (const radio of rate.elements.score) radio.checked = rating?.score === Number(radio.value);
    rate.elements.comment.value = rating?.comment ?? '';
    rate.querySelector('button').textContent = rating ? 'Change rating' : 'Rate';
  }

  const alert = (text) => {
    put('visitor-alert', text);
    show(one('visitor-alert'), text !== '');
  };
  const again = poll(refresh, (error) => {
    if (!error) return;
    put('visitor-state', 'No answer');
    if (!(error instanceof Refused)) console.error(error);
  });
  /** Does what a button is for, and says what the service has against it. */
  async function attempt(work) {
    alert('');
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      alert(error.type === 'groups_offline' ? nobody : error.message);
    }
    await again();
  }
  const threadOf = () => ({ chat_id: known.chat.id, thread_id: known.chat.thread.id });

  start.addEventListener('submit', (event) => {
    event.preventDefault();
    const { name, email, group, text } = start.elements;
    void attempt(async () => {
      await ask('update_customer', { name: name.value, ...(email.value && { email: email.value }) });
      const chat = {
        access: { group_ids: [Number(group.value)] },
        thread: { events: [{ type: 'message', text: text.value }] },
      };
      if (known.chat) await ask('resume_chat', { chat: { id: known.chat.id, ...chat } });
      else await ask('start_chat', { chat });
      is_starting_again = false;
      text.value = '';
      queueMicrotask(() => one('visitor-text').focus());
    });
  });
  onEnter(say);
  say.addEventListener('submit', (event) => {
    event.preventDefault();
    const { text } = say.elements;
    const said = text.value;
    if (said.trim() === '') return;
    text.value = '';
    void attempt(async () => {
      try {
        await ask('send_event', { chat_id: known.chat.id, event: { type: 'message', text: said } });
      } catch (error) {
        text.value ||= said;
        throw error;
      }
    });
  });
  one('visitor-attach').addEventListener('click', () => one('visitor-file').click());
  one('visitor-file').addEventListener('change', ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    void attempt(async () => {
      const { url } = await uploadOfCustomer(sessionStorage.getItem(kept), file);
      await ask('send_event', { chat_id: known.chat.id, event: { type: 'file', url } });
    }).finally(() => (target.value = ''));
  });
  rate.addEventListener('submit', (event) => {
    event.preventDefault();
    const { score, comment } = rate.elements;
    const rating = { score: Number(score.value), ...(comment.value && { comment: comment.value }) };
    void attempt(() => ask('update_thread_properties', { ...threadOf(), properties: { rating } }));
  });
  one('visitor-end').addEventListener('click', () => attempt(() => ask('deactivate_chat', { id: known.chat.id })));
  one('visitor-again').addEventListener('click', () => {
    is_starting_again = true;
    draw();
    start.elements.text.focus();
  });
  void again();
  return groups;
}

function stateOf(thread, agent) {
  if (!thread) return 'No chat yet';
  if (!thread.active) return 'Chat ended';
  if (thread.queue) return 'Waiting in the queue';
  return agent ? `Chatting with ${agent.name}` : 'Waiting for an agent';
}

const minutes = (seconds) => (seconds < 90 ? '1 minute' : `${Math.round(seconds / 60)} minutes`);
