// The page on which an agent signs in and agrees to what a client asks for, and the headers that keep it from being misused.
import { createHash } from 'node:crypto';
import type { ConsentRequest } from './consent.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;color:#1b1b1f}' +
  'label{display:block;margin:1rem 0 .25rem}input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}' +
  'button{margin:1.5rem .5rem 0 0;padding:.5rem 1rem;font:inherit}.wrong{color:#a3142a}ul{padding-left:1.25rem}';
const styleHash = createHash('sha256').update(style).digest('base64');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  `<style>${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`;

/** `form` proves that the page was asked for by this browser; `wrong` says why the last try failed. */
export function consentPage(consent: ConsentRequest, action: string, form: string, login = '', wrong?: string): string {
  const scopes = consent.scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('');
  const told = wrong === undefined ? '' : `<p class="wrong" role="alert">${escaped(wrong)}</p>`;
  return page(
    `Sign in for ${consent.name}`,
    `<p><strong>${escaped(consent.name)}</strong> (client <code>${escaped(consent.client_id)}</code>) asks to act on your behalf with:</p>` +
      `<ul>${scopes}</ul><p>You go on to <code>${escaped(new URL(consent.redirect_uri).host)}</code>.</p>${told}` +
      `<form method="post" action="${escaped(action)}"><input type="hidden" name="form" value="${escaped(form)}">` +
      `<label for="login">Login</label><input id="login" name="login" autocomplete="username" required maxlength="255" value="${escaped(login)}">` +
      '<label for="secret">Password or API key</label><input id="secret" name="secret" type="password" autocomplete="current-password" maxlength="255">' +
      '<button name="decision" value="allow">Allow</button><button name="decision" value="deny" formnovalidate>Deny</button></form>',
  );
}

export const refusedPage = (reason: string): string =>
  page('This request cannot be answered', `<p class="wrong" role="alert">${escaped(reason)}</p>`);

/** A page that loads nothing, cannot be framed, and whose form goes to the service and on to the client only. */
export function htmlAnswer(status: number, html: string, next?: string): Response {
  const going = next === undefined ? "'none'" : `'self' ${new URL(next).origin}`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${going}; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Not `no-referrer`: browsers would then hide the origin of the form, too.
      'referrer-policy': 'same-origin',
    },
  });
}
