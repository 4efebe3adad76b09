// Shows the events of a thread in a log. What was written is text, never markup.

/** An element with text and a class. */
export function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export const timeOf = (moment) => new Date(moment).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

/** A line that says what an event is, for the list of chats. */
export function inShort(event) {
  if (event.type === 'file') return event.name ?? 'File';
  if (event.type === 'rich_message') return titlesOf(event) || 'Card';
  if (event.type === 'custom') return 'Custom event';
  return event.text ?? 'Form';
}

const titlesOf = ({ elements = [] }) => elements.flatMap(({ title }) => title ?? []).join(', ');

function fileLink({ url, name }) {
  const link = element('a', name ?? 'File');
  if (/^https?:\/\//.test(url ?? '')) link.href = url;
  link.target = '_blank';
  link.rel = 'noreferrer';
  return link;
}

function answerOf({ answer, answers = [] }) {
  const all = answer === undefined ? answers : [answer];
  return all.map((each) => each.label ?? String(each)).join(', ');
}

function bodyOf(event) {
  if (event.type === 'file') return [fileLink(event)];
  if (event.fields)
    return event.fields.map((field) => element('p', `${field.label.replace(/:$/, '')}: ${answerOf(field)}`));
  if (event.elements) return event.elements.map(({ title, subtitle }) => element('p', title ?? subtitle ?? 'Picture'));
  return [element('p', event.text ?? event.type.replaceAll('_', ' '))];
}

function lineOf(event, { own, nameOf }) {
  const is_note = event.visibility === 'agents';
  if (event.type === 'system_message') {
    const line = element('div', '', 'event system');
    line.append(element('p', event.text ?? ''), element('time', timeOf(event.created_at)));
    return line;
  }
  const line = element('div', '', `event ${event.author_id === own ? 'own' : 'other'}${is_note ? ' note' : ''}`);
  const head = element('div', '', 'head');
  head.append(element('strong', nameOf(event.author_id)), element('time', timeOf(event.created_at)));
  if (is_note) head.append(element('span', 'Note for agents only'));
  const body = element('div', '', 'body');
  body.append(...bodyOf(event));
  line.append(head, body);
  return line;
}

/** Keeps `box` showing a thread: what is new is added below, and stays in sight if the end was in sight. */
export function createLog(box) {
  let shown = { id: undefined, count: 0 };
  return (thread, whose) => {
    const events = thread.events ?? [];
    if (shown.id !== thread.id || events.length < shown.count) {
      box.replaceChildren();
      shown = { id: thread.id, count: 0 };
    }
    const added = events.slice(shown.count);
    if (added.length === 0) return;
    const was_at_end = shown.count === 0 || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    box.append(...added.map((event) => lineOf(event, whose)));
    shown.count = events.length;
    if (was_at_end) box.scrollTop = box.scrollHeight;
  };
}
