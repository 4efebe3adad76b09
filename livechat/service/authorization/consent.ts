// What a client asks an agent for: the query of the authorization page, checked before anything is shown or sent anywhere.
import type { ChatStore } from '../store.ts';
import { scopesIn } from './clients.ts';

export interface ConsentRequest {
  client_id: string;
  /** Name of the client. */
  name: string;
  redirect_uri: string;
  scopes: string[];
  state: string | undefined;
  /** The S256 challenge. */
  challenge: string;
}

/** `page`: nothing may be sent to the address that was given. `redirect`: the client is told. */
type Checked =
  | { kind: 'asked'; consent: ConsentRequest }
  | { kind: 'page'; reason: string }
  | { kind: 'redirect'; to: string };

export function checkedConsent(store: ChatStore, query: URLSearchParams): Checked {
  const doubled = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (doubled !== undefined) return { kind: 'page', reason: `${doubled} is given more than once` };
  const client = store.tokens.client(query.get('client_id') ?? '');
  if (!client) return { kind: 'page', reason: 'client_id: there is no such client' };
  const redirect_uri = query.get('redirect_uri') ?? '';
  if (!client.redirect_uris.includes(redirect_uri))
    return { kind: 'page', reason: 'redirect_uri: is not one that the client has registered' };
  const state = query.get('state') ?? undefined;
  const no = (error: string, error_description: string): Checked => ({
    kind: 'redirect',
    to: redirectTo({ redirect_uri, state }, { error, error_description }),
  });
  if (query.get('response_type') !== 'code') return no('unsupported_response_type', 'response_type must be code');
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return no('invalid_request', 'code_challenge with code_challenge_method S256 is required');
  const scopes = scopesIn(query.get('scope') ?? undefined, client.scopes);
  if (!scopes) return no('invalid_scope', 'scope: the client may not ask for one of them');
  const { client_id, name } = client;
  return { kind: 'asked', consent: { client_id, name, redirect_uri, scopes, state, challenge } };
}

/** The address of the client with an answer. */
export function redirectTo(
  { redirect_uri, state }: Pick<ConsentRequest, 'redirect_uri' | 'state'>,
  answer: Record<string, string>,
): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }) }))
    url.searchParams.set(name, value);
  return url.href;
}
