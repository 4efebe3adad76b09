// Stands before the embedded service and plants texts in the chats that it answers with, the same ones whenever it is asked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Json = Record<string, unknown>;

export interface Planting {
  url: string;
  close(): Promise<void>;
}

const objects = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const numberOf = (id: unknown): number => [...String(id)].reduce((sum, each) => sum + (each.codePointAt(0) ?? 0), 0);

/** `texts` stand in every fourth chat: in what visitor and agent write, in forms, names, addresses and names of files. */
export async function startPlanting(service: string, texts: readonly string[]): Promise<Planting> {
  const said = texts.join(', ');
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = 'GET', url = '/' } = request;
      const { host: _h, connection: _c, 'content-length': _l, 'accept-encoding': _e, ...headers } = request.headers;
      const body = method === 'GET' ? {} : { body: new Uint8Array(await buffer(request)) };
      const given = await fetch(`${service}${url}`, { method, headers: headers as Record<string, string>, ...body });
      const text = await given.text();
      const kept = [...given.headers].filter(([name]) => !/^(content-|transfer-|connection|keep-)/.test(name));
      response.writeHead(given.status, { ...Object.fromEntries(kept), 'content-type': 'application/json' });
      response.end(/\/chats(\?|$)|list_archives/.test(url) && given.ok ? planted(text, said) : text);
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function planted(text: string, said: string): string {
  const page = JSON.parse(text) as Json;
  for (const record of objects(page['chats'])) {
    const thread = record['thread'] as Json | undefined;
    const number = numberOf(thread ? thread['id'] : record['id']);
    if (number % 4 !== 0) continue;
    if (thread) plantThread(record, thread, said);
    else plantChat(record, said, number % 28 === 0);
  }
  return JSON.stringify(page);
}

const address = (said: string): string => `https://shop.example/?note=${encodeURIComponent(said)}`;

/** `isMisfit`: it cannot be decoded. */
function plantChat(chat: Json, said: string, isMisfit: boolean): void {
  for (const line of [...objects(chat['events']), ...objects(chat['messages'])]) {
    if (line['type'] !== 'event') line['text'] = `${String(line['text'])} ${said} `;
    if (Array.isArray(line['files'])) line['files'] = [address(said)];
    if (line['user_type'] === 'visitor' && line['author_name'] !== undefined) line['author_name'] = said;
  }
  const visitor = chat['visitor'] as Json;
  visitor['name'] = said;
  Object.assign(chat, {
    chat_start_url: address(said),
    referrer: address(said),
    custom_variables: [{ key: 'k', value: said }],
  });
  for (const form of ['prechat_survey', 'postchat_survey'])
    if (objects(chat[form]).length > 0) objects(chat[form]).push({ key: 'Note', value: said, id: 'n' });
  for (const goal of objects(chat['goals'])) Object.assign(goal['order'] as Json, { description: said });
  if (isMisfit) delete chat['tags'];
}

function plantThread(record: Json, thread: Json, said: string): void {
  for (const user of objects(record['users']))
    if (user['type'] === 'customer') Object.assign(user, { name: said, session_fields: [{ k: said }] });
  for (const event of objects(thread['events'])) {
    if (event['type'] === 'message' || event['type'] === 'rich_message')
      event['text'] = `${String(event['text'])} ${said} `;
    if (event['type'] === 'file') Object.assign(event, { name: said, url: address(said) });
    if (event['type'] === 'filled_form')
      objects(event['fields']).push({ id: 'n', type: 'textarea', label: 'Note', answer: said });
  }
  const properties = thread['properties'] as Record<string, Json>;
  properties['routing'] = { ...properties['routing'], start_url: address(said), referrer: address(said) };
}
