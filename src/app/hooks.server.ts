// Finds out who asks, reads theme and locale from the request, and hands the pages' own /api questions to the API in this process.
import { error, redirect } from '@sveltejs/kit';
import type { Handle, HandleFetch, HandleServerError } from '@sveltejs/kit/hooks';
import type { Me } from '#api/contract/sign-in.ts';
import { afterPaint } from '#lib/after-paint.ts';
import { read } from '#lib/api.ts';
import { homeOf, isFor } from '#lib/frame/sidebar.ts';
import { isAgent } from '#lib/sees-agents.ts';
import { isTheme } from '#lib/theme.ts';
import { words } from '#lib/words.ts';

const DEVELOPMENT_API = 'http://127.0.0.1:3000';

/** Pages for visitors who have not signed in. */
const open = new Set(['/sign-in', '/sign-in/reset', '/share']);

/** The user on a shared page: nobody but the holder of the link, even if somebody has signed in. */
const nobody: Me = {
  ...{ is_login_required: true, user: null, rights: [], rows: null },
  ...{ agents_from: null, owes: null, can_share: false, publishes: true },
};

/** Said by the server alone: no page carries it. */
const notYours =
  'This page is not part of what you may see. The admins decide that on the page People, unless the server’s settings close it to everybody.';

/** Pages that belong to another. */
const placeOf: Record<string, string> = { agent: 'agents', chat: 'transcripts' };

export const handle: Handle = async ({ event, resolve }) => {
  const isShared = event.url.pathname === '/share';
  const me = isShared ? nobody : await read(event.fetch, 'GET /me').catch(() => error(503, words.failure.api));
  if (me.owes && !open.has(event.url.pathname) && event.url.pathname !== '/profile') redirect(303, '/profile');
  if (me.rights.length === 0 && !me.owes && !open.has(event.url.pathname))
    redirect(303, `/sign-in?${new URLSearchParams({ to: event.url.pathname + event.url.search })}`);
  const [, place = ''] = event.route.id?.split('/') ?? [];
  if (!me.owes && !isFor(placeOf[place] ?? place, me.rights) && !open.has(event.url.pathname)) error(403, notYours);
  if (place === 'agents' && isAgent(me)) redirect(303, homeOf(me));
  event.locals.me = me;
  const kept = event.cookies.get('theme');
  const theme = isTheme(kept) ? kept : 'system';
  event.locals.theme = theme;
  event.locals.locale = localeOf(event.request.headers.get('accept-language'));
  return resolve(event, {
    transformPageChunk: ({ html }) => afterPaint(html.replace('%chatledger.theme%', theme)),
  });
};

export const handleFetch: HandleFetch = ({ event, request, fetch }) => {
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== event.url.origin || !pathname.startsWith('/api/')) return fetch(request);
  // The API is called with the credentials of the page's request.
  const headers = new Headers(request.headers);
  for (const name of ['cookie', 'authorization']) {
    const own = event.request.headers.get(name);
    if (own !== null) headers.set(name, own);
  }
  const api = event.platform?.req.chatledgerApi;
  if (api) return api.fetch(new Request(request, { headers }));
  return fetch(new Request(new URL(pathname + search, DEVELOPMENT_API), { headers }));
};

const unexpected = 'Something went wrong while this page was made; the log says what';

/** What a page itself does wrong goes to the log; its reader is told which request it was. */
export const handleError: HandleServerError = ({ kind, error: wrong, event }) => {
  if (kind !== 'unknown') return {};
  const told = wrong instanceof Error ? wrong : new Error(String(wrong));
  const failed = event.platform?.req.chatledgerFailed;
  // Vite's own server keeps no log: whoever develops sees it on the page.
  if (!failed) return { message: told.stack ?? told.message };
  failed(told);
  const id = event.request.headers.get('x-request-id');
  return { message: id === null ? unexpected : words.failure.ofRequest(unexpected, id) };
};

/** The first language the reader's browser asks for that numbers and dates can be written in. */
function localeOf(header: string | null): string {
  for (const part of header?.split(',') ?? []) {
    const tag = part.split(';')[0]?.trim() ?? '';
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)) continue;
    try {
      const [known] = Intl.NumberFormat.supportedLocalesOf([tag]);
      if (known) return known;
    } catch {
      continue;
    }
  }
  return 'en-GB';
}
