// The clients of the OAuth flow: programs that ask for tokens, each with the addresses that codes are sent to.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ChatStore } from '../store.ts';
import { hashOf, secret } from '../tokens.ts';

type Client = NonNullable<ReturnType<ChatStore['tokens']['client']>>;

interface ClientWish {
  name: string;
  redirect_uris: readonly string[];
  scopes: readonly string[];
  /** It can keep a secret: it runs on a server. */
  is_confidential: boolean;
}

/** Registers a client; the secret is shown this once. */
export function addClient(
  store: ChatStore,
  { name, redirect_uris, scopes, is_confidential }: ClientWish,
): { client_id: string; client_secret?: string } {
  const client_id = randomBytes(16).toString('hex');
  const client_secret = is_confidential ? secret() : undefined;
  const secret_hash = client_secret === undefined ? null : hashOf(client_secret);
  store.tokens.putClient({ client_id, name, secret_hash, redirect_uris: [...redirect_uris], scopes: [...scopes] });
  return { client_id, ...(client_secret !== undefined && { client_secret }) };
}

/** What is wrong with an address that codes are to be sent to, or undefined. */
export function wrongRedirect(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be a whole address like https://example.com/callback';
  const { protocol, hash, username, password, hostname } = new URL(address);
  if (address.includes('#') || hash !== '') return 'must have no fragment';
  if (username !== '' || password !== '') return 'must have no user';
  const is_local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && is_local)
    ? undefined
    : 'must be of https, or of http on this machine';
}

/** Whether the secret is that of the client; a public client has none and must not send one. */
export function hasSecret({ secret_hash }: Client, given: string | undefined): boolean {
  if (secret_hash === null || given === undefined) return secret_hash === null && given === undefined;
  return timingSafeEqual(Buffer.from(secret_hash), Buffer.from(hashOf(given)));
}

/** Scopes in a parameter, with spaces or commas between them; undefined when one is not among the known. */
export function scopesIn(asked: string | undefined, known: readonly string[]): string[] | undefined {
  const scopes = [...new Set((asked ?? '').split(/[\s,]+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0) return [...known];
  return scopes.every((scope) => known.includes(scope)) ? scopes : undefined;
}
