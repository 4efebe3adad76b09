// Serves the links in mails: a file that was too large to attach, and the page that unsubscribes an address.
import { html } from 'hono/html';
import { Hono } from 'hono';
import { askerFor } from '#digests/digest-questions.ts';
import { accountFor, type DigestDeps } from '#digests/deps.ts';
import type { Send } from '#digests/send.ts';
import { linkedTo } from '#digests/links.ts';
import { madeFrom } from '#digests/send-inputs.ts';
import { readerKey } from '#warehouse/query/reader.ts';
import type { ApiDeps } from './deps.ts';
import { Declined, errorAnswer } from './errors.ts';
import { madeAgain } from './digest-documents.ts';
import { fileAnswer } from './file-answer.ts';

/** The token in the path is the only credential, and opens nothing else. */
export const digestLinks = /^\/api\/digest-(files|unsubscribe)\/[\w-]+\.[\w-]+$/;

/** Only these links, for the port that a proxy may expose. */
export function createLinks(deps: ApiDeps): Hono {
  const app = new Hono().basePath('/api');
  const log = deps.log ?? (() => undefined);
  addDigestLinks(app, deps);
  app.onError((error, c) => errorAnswer(c, error, log));
  app.notFound((c) => errorAnswer(c, new Declined('not_found', 'here are the links in mails and nothing else'), log));
  return app;
}

/** A link expires with its reader's login and shows what was sent: it opens as long as the reader may see all of it. */
function assertLetIn(digests: DigestDeps, send: Send): void {
  if (send.made === null) return;
  const { reader, digest, rows } = madeFrom(send.made);
  const now = askerFor(digests, reader, accountFor(digests, digest.account));
  if (rows !== undefined && readerKey(now) !== JSON.stringify(rows))
    throw new Declined('forbidden', 'what its reader may see has changed since it was sent');
}

function addDigestLinks(app: Hono, deps: ApiDeps): void {
  const about = (token: string) => {
    const found = deps.digests && linkedTo(deps.digests, token, Math.floor(deps.digests.clock() / 1000));
    if (!found || !deps.digests) throw new Declined('not_found', 'this link is not one of ours, or it is too old');
    return { found, digests: deps.digests };
  };

  app.get('/digest-files/:token', async (c) => {
    const { found, digests } = about(c.req.param('token'));
    if (found.for !== 'file') throw new Declined('not_found', 'this link names no file');
    const { digest, period, reader, name } = found;
    const send = digests.store.ledger.findMade({ digest, period, reader });
    if (!send) throw new Declined('not_found', 'this digest is no longer known');
    assertLetIn(digests, send);
    const { files } = await madeAgain(digests, send);
    const file = files.find((it) => it.name === name);
    if (!file) throw new Declined('not_found', 'this digest has no such file');
    return fileAnswer(c, file);
  });

  // A GET must change nothing: mail servers open links to scan them.
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
    const { found, digests } = about(c.req.param('token'));
    if (found.for !== 'unsubscribe') throw new Declined('not_found', 'this link ends no digest');
    digests.store.unsubscribe(found.digest, found.address, Math.floor(digests.clock() / 1000));
    return c.text('Done: this address gets no more of it.');
  });
}
