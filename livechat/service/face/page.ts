// The page of the service: a visitor's chat window beside an agent's inbox, its files, their headers, and the client under which it asks for tokens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { ServiceAccount } from '../account.ts';
import { licenseOf } from '../license.ts';
import { refuse } from '../refusals.ts';
import type { ChatStore } from '../store.ts';
import { customerScope } from '../scopes.ts';
import { isOwnHost } from '../wire.ts';

const client_id = 'chatledger-page';
const scopes = ['chats--all:rw', 'agents--my:rw', 'agents--all:ro', customerScope];

const types: Record<string, string> = {
  'face.css': 'text/css',
  'chat.css': 'text/css',
  'face.js': 'text/javascript',
  'visitor.js': 'text/javascript',
  'agent.js': 'text/javascript',
  'inbox.js': 'text/javascript',
  'sign-in.js': 'text/javascript',
  'messages.js': 'text/javascript',
  'asking.js': 'text/javascript',
  'parts.js': 'text/javascript',
};
const headers = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'files', name), 'utf8');

/** Where the service listens. */
interface Place {
  host: string;
  port: number;
}

/** Lets the page at these addresses ask agents for tokens. */
export function keepPageClient(store: ChatStore, { host, port }: Place): void {
  const names = [...new Set(['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host])];
  const redirect_uris = names.map((name) => `http://${name}:${port}/`);
  store.tokens.putClient({ client_id, name: 'Chat page of the service', secret_hash: null, redirect_uris, scopes });
}

/** `host` is the one that the service is bound to: under other names than it and those of this machine there is no page. */
export function addPage(app: Hono, { store }: ServiceAccount, host: string): void {
  const page = read('index.html')
    .replace('{license}', String(licenseOf(store).license_id))
    .replace('{client}', client_id);
  const files = new Map(Object.keys(types).map((name) => [name, read(name)]));
  const answer = (text: string, type: string): Response =>
    new Response(text, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
  app.get('/', (context) => {
    if (!isOwnHost(context.req.header('host') ?? null, host)) throw refuse.origin();
    return answer(page, 'text/html');
  });
  app.get('/face/:name', (context) => {
    const name = context.req.param('name');
    const text = files.get(name);
    if (text === undefined) throw refuse.missing();
    return answer(text, types[name]!);
  });
}
