// Delivery by HTTP: a signed JSON body with the key figures and the files, or a message for a Slack-style channel.
import { createHmac } from 'node:crypto';
import { words } from '../words.ts';
import { post, type Webhooks } from './exchange.ts';
import { linesOf, subjectOf, type Letter } from './letter.ts';
import { most_attached } from './mail.ts';
import type { Outcome } from './outcome.ts';

/** `t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the channel's secret. */
export const signatureOf = (body: string, secret: string, now: number): string =>
  `t=${now},v1=${createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')}`;

export function bodyOf(letter: Letter): string {
  const { edition, files, linkTo } = letter;
  const isSmall = files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= most_attached;
  return JSON.stringify({
    id: letter.message_id,
    digest: letter.digest,
    title: edition.title,
    period: letter.period,
    reader: letter.reader.name,
    snapshot: edition.cover.snapshot,
    timezone: edition.cover.zone,
    stamps: edition.stamps,
    key_figures: linesOf(edition),
    what_changed: edition.change?.sentences ?? [],
    restated: edition.restated?.lines ?? [],
    files: files.map((file) => ({
      name: file.name,
      type: file.type,
      ...(isSmall ? { base64: Buffer.from(file.bytes).toString('base64') } : linkTo ? { url: linkTo(file) } : {}),
    })),
  });
}

/** TRICKY: in a Slack-style message these three letters are markup. */
const slackText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([*_~`])/g, '\u200b$1\u200b');

export function slackBodyOf(letter: Letter): string {
  const { edition, files, linkTo } = letter;
  const lines = linesOf(edition).map(
    ({ title, text, change }) => `${slackText(title)}: *${slackText(text)}*${change ? ` (${slackText(change)})` : ''}`,
  );
  const links = linkTo ? files.map((file) => `<${linkTo(file)}|${slackText(file.name)}>`) : [];
  const text = (markdown: string) => ({ type: 'section', text: { type: 'mrkdwn', text: markdown.slice(0, 2900) } });
  return JSON.stringify({
    text: slackText(subjectOf(letter)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subjectOf(letter).slice(0, 150) } },
      ...edition.stamps.map((stamp) => text(`:warning: ${slackText(stamp)}`)),
      text(lines.join('\n')),
      ...(edition.change ? [text(edition.change.sentences.map(slackText).join('\n'))] : []),
      ...(links.length > 0 ? [text(links.join('\n'))] : []),
      text(
        slackText(`${words.freshness} ${edition.cover.freshness} (${edition.cover.zone}), ${edition.cover.snapshot}`),
      ),
    ],
  });
}

/** `now` in Unix seconds. */
export function toWebhook(
  letter: Letter,
  { url, secret = '' }: { url: string; secret?: string | undefined },
  now: number,
  webhooks: Webhooks,
): Promise<Outcome> {
  const body = bodyOf(letter);
  const signature = signatureOf(body, secret, now);
  return post(url, body, { 'x-chatledger-signature': signature, 'idempotency-key': letter.message_id }, webhooks);
}

export const toSlack = (letter: Letter, url: string, webhooks: Webhooks): Promise<Outcome> =>
  post(url, slackBodyOf(letter), {}, webhooks);
