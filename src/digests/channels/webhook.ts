// Delivery by HTTP: a signed JSON body with the key figures and the files.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { channelKind, most_attached, webAddress } from './channel.ts';
import type { Letter } from './letter.ts';

/** `t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the channel's secret. */
export const signatureOf = (body: string, secret: string, now: number): string =>
  `t=${now},v1=${createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')}`;

export function bodyOf(letter: Letter): string {
  const { files, linkTo, basis } = letter;
  const isSmall = files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= most_attached;
  return JSON.stringify({
    id: letter.message_id,
    digest: letter.digest,
    title: letter.title,
    period: letter.period,
    reader: letter.reader.name,
    snapshot: basis.snapshot,
    timezone: basis.zone,
    stamps: letter.stamps,
    key_figures: letter.figures,
    what_changed: letter.changes.map(({ text }) => text),
    receipts: letter.changes.map(({ url }) => url),
    saved_queries: letter.queries,
    restated: letter.restated?.lines ?? [],
    files: files.map((file) => ({
      name: file.name,
      type: file.type,
      ...(isSmall ? { base64: Buffer.from(file.bytes).toString('base64') } : linkTo ? { url: linkTo(file) } : {}),
    })),
  });
}

export const webhook = channelKind({
  schema: z.strictObject({
    kind: z.literal('webhook'),
    url: webAddress,
    /** Signs the body; created if missing. */
    secret: z.string().min(16).max(200).optional(),
  }),
  form: { title: 'Webhook addresses (signed JSON; one a line)', hasUrl: true },
  isRepeatable: false,
  hasSecret: true,
  async deliver({ url, secret = '' }, letter, { now, webhooks }) {
    const { post } = await import('./http.ts');
    const body = bodyOf(letter);
    const headers = { 'x-chatledger-signature': signatureOf(body, secret, now), 'idempotency-key': letter.message_id };
    return post(url, body, headers, webhooks);
  },
});
