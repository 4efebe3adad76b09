// How an agent signs in: by the OAuth code flow with PKCE, or with a token. What is had is kept for this tab only.
import { clientId, oauth } from './asking.js';

const kept = 'chat page: agent';
const begun = 'chat page: sign-in';
const redirect_uri = `${location.origin}/`;

const inUrl = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => inUrl(crypto.getRandomValues(new Uint8Array(32)));

/** The agent's token and login, or undefined. */
export const signedIn = () => JSON.parse(sessionStorage.getItem(kept) ?? 'null') ?? undefined;
export const keepSignedIn = (agent) => sessionStorage.setItem(kept, JSON.stringify(agent));
export const forget = () => sessionStorage.removeItem(kept);

/** Leads to the page on which agents sign in. */
export async function goSignIn() {
  const verifier = random();
  const state = random();
  sessionStorage.setItem(begun, JSON.stringify({ verifier, state }));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri, state },
    ...{ code_challenge: inUrl(challenge), code_challenge_method: 'S256' },
    scope: 'chats--all:rw agents--my:rw agents--all:ro',
  });
  location.assign(`/oauth/authorize?${query}`);
}

/** Takes what the browser was sent back with. Throws what went wrong, in words for the agent. */
export async function comeBack() {
  const query = new URLSearchParams(location.search);
  if (!query.has('state')) return;
  history.replaceState(null, '', '/');
  const { verifier, state } = JSON.parse(sessionStorage.getItem(begun) ?? '{}');
  sessionStorage.removeItem(begun);
  if (query.get('state') !== state) throw new Error('The answer was not for this tab. Sign in again.');
  if (query.get('error') === 'access_denied') throw new Error('You did not allow it, so nobody is signed in.');
  if (query.has('error')) throw new Error(query.get('error_description') ?? query.get('error'));
  const code = query.get('code') ?? '';
  const { access_token, entity_id } = await oauth('token', {
    ...{ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier },
  });
  keepSignedIn({ token: access_token, login: entity_id });
}

/** Withdraws a token that came from signing in; one from elsewhere stays good. */
export async function signOut() {
  const { token } = signedIn() ?? {};
  forget();
  if (token) await oauth('revoke', { token }).catch(() => undefined);
}
