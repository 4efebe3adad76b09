// The same as a page that a person can read: no scripts, nothing from elsewhere.
import type { Row } from '#warehouse/engine.ts';
import type { Access, AccessChat } from './access.ts';

const escaped = (value: unknown): string =>
  String(value ?? '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

const time = (value: unknown): string =>
  String(value ?? '')
    .replace('T', ' ')
    .replace(/(:\d\d)(\.\d+)?Z$/, '$1 UTC');

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
dl { display: grid; grid-template-columns: 12rem 1fr; gap: .25rem 1rem; } dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
ol { list-style: none; padding: 0; } li { margin: .5rem 0; } li p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
small { color: #555; }`;

export const accessPage = (access: Access): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What is kept about you</title>
<style>${style}
</style>
</head>
<body>
<h1>What is kept about you</h1>
<p>Made ${escaped(time(access.made_at))}. ${access.chats.length} conversations. The file access.json beside this page holds the same,
and besides each record as it was received.</p>
${listed([
  ['Ids', access.visitors.map(({ id }) => id).join(', ')],
  ['Names', access.names.join(', ')],
  ['E-mail addresses', access.addresses.join(', ')],
])}
${access.chats.map(chatOf).join('\n')}
</body>
</html>
`;

const words: Readonly<Record<string, string>> = {
  ...{ ended_at: 'Ended', visitor_name: 'Name', country: 'Country', city: 'City', region: 'Region' },
  ...{ visitor_timezone: 'Time zone', rate: 'Rating', start_url: 'Page', referrer: 'Came from' },
};

function chatOf({ account, chat_id, facts, messages, surveys, variables, goals, tags, agents }: AccessChat): string {
  const known = Object.entries(words).map(([column, word]): [string, unknown] => [
    word,
    column.endsWith('_at') ? time(facts[column]) : facts[column],
  ]);
  const answers = surveys.map(({ question, answer }): [string, unknown] => [String(question), answer]);
  const set = variables.map(({ name, value }): [string, unknown] => [String(name), value]);
  const bought = goals.map((goal): [string, unknown] => [String(goal['goal_name'] ?? 'Goal'), orderOf(goal)]);
  return `<section>
<h2>Conversation of ${escaped(time(facts['started_at']))}</h2>
${listed([['Conversation', chat_id], ['Account', account], ...known, ['With', agents.join(', ')], ['Tags', tags.join(', ')], ...answers, ...set, ...bought])}
<ol>
${messages.map(lineOf).join('\n')}
</ol>
</section>`;
}

const orderOf = ({ order_id, order_description, price, currency }: Row): string =>
  [order_id, order_description, price === null ? null : `${price} ${currency ?? ''}`]
    .filter((part) => part)
    .join(', ') || 'reached';

const lineOf = ({ at, author_name, user_type, text, files }: Row): string =>
  `<li><small>${escaped(time(at))} · ${escaped(author_name ?? user_type)}</small><p>${escaped(text)}${files ? `\n${escaped(files)}` : ''}</p></li>`;

const listed = (of: readonly (readonly [string, unknown])[]): string =>
  `<dl>\n${of
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([word, value]) => `<dt>${escaped(word)}</dt><dd>${escaped(value)}</dd>`)
    .join('\n')}\n</dl>`;
