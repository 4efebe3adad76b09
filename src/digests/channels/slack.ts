// A message for a Slack-style channel: the key figures in lines, and links to the files.
import { z } from 'zod';
import { words } from '../words.ts';
import { channelKind, webAddress } from './channel.ts';
import { subjectOf, type Letter } from './letter.ts';

/** TRICKY: these three characters are markup in Slack messages. */
const slackText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([*_~`])/g, '\u200b$1\u200b');

function slackBodyOf(letter: Letter): string {
  const { files, linkTo, basis } = letter;
  const lines = letter.figures.map(
    ({ title, text, change }) => `${slackText(title)}: *${slackText(text)}*${change ? ` (${slackText(change)})` : ''}`,
  );
  const changes = letter.changes.map(({ text, url }) =>
    url === null ? slackText(text) : `${slackText(text)} <${url}|${words.mail.why}>`,
  );
  const queries = letter.queries.map(
    ({ title, text: answer, mark }) =>
      `${slackText(title)}: ${slackText(answer)}${mark ? ` (${slackText(mark)})` : ''}`,
  );
  const links = linkTo ? files.map((file) => `<${linkTo(file)}|${slackText(file.name)}>`) : [];
  const text = (markdown: string) => ({ type: 'section', text: { type: 'mrkdwn', text: markdown.slice(0, 2900) } });
  return JSON.stringify({
    text: slackText(subjectOf(letter)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subjectOf(letter).slice(0, 150) } },
      ...letter.stamps.map((stamp) => text(`:warning: ${slackText(stamp)}`)),
      ...(changes.length > 0 ? [text(changes.join('\n'))] : []),
      text(lines.join('\n')),
      ...(queries.length > 0 ? [text(queries.join('\n'))] : []),
      ...(links.length > 0 ? [text(links.join('\n'))] : []),
      text(slackText(`${words.freshness} ${basis.freshness} (${basis.zone}), ${basis.snapshot}`)),
    ],
  });
}

export const slack = channelKind({
  schema: z.strictObject({ kind: z.literal('slack'), url: webAddress }),
  form: { title: 'Addresses of Slack-style channels (one a line)', hasUrl: true },
  isRepeatable: false,
  async deliver({ url }, letter, { webhooks }) {
    const { post } = await import('./http.ts');
    return post(url, slackBodyOf(letter), {}, webhooks);
  },
});
