// The authorization endpoint: shows the page, takes the form, and sends the browser back to the client with a code.
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import type { ServiceAccount } from '../account.ts';
import { hashOf, secret } from '../tokens.ts';
import { textWithin } from '../wire.ts';
import { checkedConsent, redirectTo, type ConsentRequest } from './consent.ts';
import { consentPage, htmlAnswer, refusedPage } from './page.ts';
import type { SignIn } from './sign-in.ts';

const code_seconds = 60;
const form_seconds = 1800;
const longest = 16 * 1024;
const cookie = '__chatledger_consent';

/** Handles both the page and its form: both name the request in the query. */
export function createAuthorize(account: ServiceAccount, signIn: SignIn): (context: Context) => Promise<Response> {
  const key = randomBytes(32);
  /** Binds the form to the browser that asked for it, to the request that it showed, and to a time. */
  const formFor = (browser: string, query: string, expires: number): string =>
    `${expires}.${createHmac('sha256', key).update(`${browser}\n${expires}\n${query}`).digest('base64url')}`;
  const isOwnForm = (form: string, browser: string | undefined, query: string): boolean => {
    const expires = Number(form.split('.')[0]);
    if (browser === undefined || !(expires > account.now())) return false;
    const [right, given] = [Buffer.from(formFor(browser, query, expires)), Buffer.from(form)];
    return right.length === given.length && timingSafeEqual(right, given);
  };
  const shown = (context: Context, consent: ConsentRequest, status = 200, login = '', wrong?: string): Response => {
    const browser = getCookie(context, cookie) ?? secret();
    const { pathname, search } = new URL(context.req.url);
    const form = formFor(browser, search, account.now() + form_seconds);
    const answer = htmlAnswer(
      status,
      consentPage(consent, pathname + search, form, login, wrong),
      consent.redirect_uri,
    );
    const kept = { path: '/oauth', httpOnly: true, sameSite: 'Lax', maxAge: form_seconds } as const;
    answer.headers.set('set-cookie', generateCookie(cookie, browser, kept));
    return answer;
  };
  return async (context) => {
    const { search, searchParams } = new URL(context.req.url);
    const checked = checkedConsent(account.store, searchParams);
    if (checked.kind === 'page') return htmlAnswer(400, refusedPage(checked.reason));
    if (checked.kind === 'redirect') return goTo(checked.to);
    const { consent } = checked;
    if (context.req.method !== 'POST') return shown(context, consent);
    const text = await textWithin(context.req.raw, longest);
    if (text === undefined) return htmlAnswer(413, refusedPage('the form is too large'));
    const fields = new URLSearchParams(text);
    if (!isOwnForm(fields.get('form') ?? '', getCookie(context, cookie), search))
      return shown(context, consent, 403, '', 'The form has expired, or was not made for this browser: try again.');
    if (fields.get('decision') !== 'allow')
      return goTo(redirectTo(consent, { error: 'access_denied', error_description: 'the agent did not agree' }));
    const login = fields.get('login') ?? '';
    const recognized = await signIn(login, fields.get('secret') ?? '');
    if (recognized === 'too many') return shown(context, consent, 429, login, 'Too many wrong tries: wait 15 minutes.');
    if (recognized === 'unknown') return shown(context, consent, 401, login, 'Login or password is wrong.');
    return goTo(redirectTo(consent, { code: codeFor(account, consent, login) }));
  };
}

function codeFor({ store, now }: ServiceAccount, consent: ConsentRequest, agent: string): string {
  const code = secret();
  const { client_id, redirect_uri, scopes, challenge } = consent;
  const given = { client_id, redirect_uri, scopes, challenge, agent, grant_id: randomUUID() };
  store.transact(() => store.tokens.putCode(hashOf(code), { ...given, expires: now() + code_seconds }));
  return code;
}

/** 303: the browser does not send the form, with its password, to the client. */
const goTo = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
