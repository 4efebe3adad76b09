// Reads theme and locale from the request, and hands the pages' own /api questions to the API in this process.
import type { Handle, HandleFetch } from '@sveltejs/kit/hooks';
import { afterPaint } from '#lib/after-paint.ts';
import { isTheme } from '#lib/theme.ts';

const DEVELOPMENT_API = 'http://127.0.0.1:3000';

export const handle: Handle = ({ event, resolve }) => {
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
  const api = event.platform?.req.chatledgerApi;
  if (api) return api.fetch(request);
  return fetch(new Request(new URL(pathname + search, DEVELOPMENT_API), { headers: { accept: 'application/json' } }));
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
