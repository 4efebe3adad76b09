// What links in mails open: a file that was too large to attach, and the page that ends a digest for an address.
import { html } from 'hono/html';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { linkedTo } from '#digests/links.ts';
import type { Door } from './door.ts';
import { Declined } from './errors.ts';
import { fileAnswer, madeAgain } from './digests.ts';

/** The token in the path is the right to open it; nothing else is asked for. */
export const digestLinks = /^\/api\/digest-(files|unsubscribe)\/[\w-]+\.[\w-]+$/;

/** Whether a request is for such a link under the host name of the public address. `host` is the header of that name. */
export function isPublicLink(public_url: string | null | undefined, host: string, path: string): boolean {
  if (!public_url || !digestLinks.test(path)) return false;
  const { protocol, host: ours } = new URL(public_url);
  const asked = `${protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(asked) && new URL(asked).host === ours;
}

export function addDigestLinks(app: OpenAPIHono, door: Door): void {
  const about = (token: string) => {
    const found = door.digests && linkedTo(door.digests, token, Math.floor(door.digests.clock() / 1000));
    if (!found || !door.digests) throw new Declined('not_found', 'this link is not one of ours, or it is too old');
    return { found, desk: door.digests };
  };

  app.get('/digest-files/:token', async (c) => {
    const { found, desk } = about(c.req.param('token'));
    if (found.for !== 'file') throw new Declined('not_found', 'this link names no file');
    const { digest, period, reader, name } = found;
    const send = desk.store.ledger.history(digest, 2000).find((it) => it.period === period && it.reader === reader && it.made !== null); // prettier-ignore
    if (!send) throw new Declined('not_found', 'this digest is no longer known');
    const { files } = await madeAgain(desk, send);
    const file = files.find((it) => it.name === name);
    if (!file) throw new Declined('not_found', 'this digest has no such file');
    return fileAnswer(c, file);
  });

  // A GET must change nothing: mail servers open links to look at them.
  app.get('/digest-unsubscribe/:token', (c) => {
    const { found } = about(c.req.param('token'));
    if (found.for !== 'unsubscribe') throw new Declined('not_found', 'this link ends no digest');
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Unsubscribe</title>
          <body style="font:16px/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem">
            <h1 style="font-size:1.25rem">Unsubscribe</h1>
            <p>${found.address} gets no more mails of the digest ${found.digest}.</p>
            <form method="post"><button>Unsubscribe</button></form>
          </body>
        </html>`,
    );
  });

  app.post('/digest-unsubscribe/:token', (c) => {
    const { found, desk } = about(c.req.param('token'));
    if (found.for !== 'unsubscribe') throw new Declined('not_found', 'this link ends no digest');
    desk.store.unsubscribe(found.digest, found.address, Math.floor(desk.clock() / 1000));
    return c.text('Done: this address gets no more of it.');
  });
}
