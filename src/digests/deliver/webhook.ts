// Delivery by HTTP: a signed JSON body with the key figures and the files, or a message for a Slack-style channel.
import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { words } from '../words.ts';
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
  const lines = linesOf(edition).map(({ title, text, change }) => `${slackText(title)}: *${slackText(text)}*${change ? ` (${slackText(change)})` : ''}`); // prettier-ignore
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
export const toWebhook = (letter: Letter, url: string, secret: string, now: number): Promise<Outcome> => {
  const body = bodyOf(letter);
  return post(url, body, { 'x-chatledger-signature': signatureOf(body, secret, now), 'idempotency-key': letter.message_id }); // prettier-ignore
};

export const toSlack = (letter: Letter, url: string): Promise<Outcome> => post(url, slackBodyOf(letter), {});

/** Errors before the first byte could be read by the other side. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED']); // prettier-ignore

async function post(url: string, body: string, headers: Record<string, string>): Promise<Outcome> {
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body,
      headersTimeout: 30_000,
      bodyTimeout: 30_000,
    });
    await answer.dump();
    if (statusCode >= 200 && statusCode < 300) return { kind: 'sent' };
    const reason = `${new URL(url).host} answered with ${statusCode}`;
    return statusCode === 408 || statusCode === 429 || statusCode >= 500 ? { kind: 'retry', reason } : { kind: 'failed', reason }; // prettier-ignore
  } catch (error) {
    const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string };
    const reason = `${new URL(url).host}: ${message}`;
    return unreached.has(code)
      ? { kind: 'retry', reason }
      : { kind: 'unknown', reason: `the answer was lost: ${reason}` };
  }
}
