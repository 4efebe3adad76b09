// The words of a mail, as text and as HTML. Text of others is escaped; nothing is fetched from anywhere.
import type { Letter } from './letter.ts';
import { plainText } from '../plain-text.ts';
import { words } from '../words.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const html = (text: string): string => plainText(text).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

export interface Link {
  name: string;
  url: string;
}

interface MailFrame {
  links: readonly Link[];
  /** "mail 2 of 3", if the files are spread over several mails. */
  part: string | null;
  /** What to open or write to for no more of it. */
  unsubscribe: string;
}

const factsOf = ({ basis }: Letter): [string, string][] => [
  [words.zone, basis.zone],
  [words.filters, basis.filters],
  [words.freshness, basis.freshness],
  [words.settles, basis.settles],
  [words.snapshot, basis.snapshot],
];

export function textOf(letter: Letter, { links, part, unsubscribe }: MailFrame): string {
  const figures = letter.figures.map(({ title, text, change }) => `${title}: ${text}${change ? ` (${change})` : ''}`);
  const queries = letter.queries.map(({ title, text, mark }) => `${title}: ${text}${mark ? ` (${mark})` : ''}`);
  const lines = [
    ...[letter.title, letter.about, ...(part ? [part] : []), ''],
    ...letter.stamps.flatMap((stamp) => [`! ${stamp}`, '']),
    ...(letter.changes.length > 0 ? [words.whatChanged.toUpperCase()] : []),
    ...letter.changes.flatMap(({ text, url }) => (url === null ? [text] : [text, url])),
    ...['', words.keyFigures.toUpperCase(), ...figures, ''],
    ...(queries.length > 0 ? [words.query.title.toUpperCase(), ...queries, ''] : []),
    ...(letter.restated
      ? [
          words.restatedTitle.toUpperCase(),
          letter.restated.intro,
          ...letter.restated.lines.map(({ text, why }) => `- ${text}: ${why}`),
          '',
        ]
      : []),
    ...links.map(({ name, url }) => `${name}: ${url}`),
    ...factsOf(letter).map(([name, value]) => `${name}: ${value}`),
    ...['', words.mail.unsubscribe(unsubscribe)],
  ];
  return `${lines.map((line) => plainText(line)).join('\n')}\n`;
}

const linked = (told: string, url: string | null): string =>
  url === null ? told : `${told} <a href="${html(url)}" style="white-space:nowrap">${html(words.mail.why)}</a>`;

const queriesOf = ({ queries }: Letter): string[] => {
  const rows = queries.map(
    ({ title, text, mark }) =>
      `<tr><th scope="row" style="${style.cell};font-weight:400">${html(title)}</th><td style="${style.cell}">${html(text)}</td>` +
      `<td style="${style.cell};color:#59626e">${html(mark)}</td></tr>`,
  );
  if (rows.length === 0) return [];
  return [
    `<h2 style="${style.head}">${html(words.query.title)}</h2>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
  ];
};

const style = {
  body: 'font:15px/1.5 system-ui,sans-serif;color:#171b21;background:#ffffff;max-width:640px;margin:0;padding:16px',
  quiet: 'color:#59626e;font-size:13px',
  cell: 'padding:6px 12px 6px 0;border-bottom:1px solid #e6e9ed;text-align:left;vertical-align:top',
  number:
    'padding:6px 12px 6px 0;border-bottom:1px solid #e6e9ed;font-weight:600;white-space:nowrap;vertical-align:top',
  head: 'font-size:16px;margin:20px 0 4px',
  told: 'margin:4px 0',
  stamp: 'border:1px solid #c14f00;padding:8px;margin:8px 0',
};

export function htmlOf(letter: Letter, { links, part, unsubscribe }: MailFrame): string {
  const rows = letter.figures.map(
    ({ title, text, change }) =>
      `<tr><th scope="row" style="${style.cell};font-weight:400">${html(title)}</th><td style="${style.number}">${html(text)}</td>` +
      `<td style="${style.cell};color:#59626e">${html(change)}</td></tr>`,
  );
  const restated = letter.restated
    ? `<h2 style="${style.head}">${html(words.restatedTitle)}</h2><p>${html(letter.restated.intro)}</p><ul>${letter.restated.lines
        .map(({ text, why }) => `<li>${html(text)}: ${html(why)}</li>`)
        .join('')}</ul>`
    : '';
  const facts = factsOf(letter).map(([name, value]) => `${html(name)}: ${html(value)}`);
  return [
    `<!doctype html><html lang="${html(letter.language)}"><head><meta charset="utf-8"><title>${html(letter.title)}</title></head>`,
    `<body style="${style.body}"><h1 style="font-size:22px;margin:0">${html(letter.title)}</h1>`,
    `<p style="${style.quiet}">${html(letter.about)}${part ? `, ${html(part)}` : ''}</p>`,
    ...letter.stamps.map((stamp) => `<p style="${style.stamp}">${html(stamp)}</p>`),
    ...(letter.changes.length > 0 ? [`<h2 style="${style.head}">${html(words.whatChanged)}</h2>`] : []),
    ...letter.changes.map(({ text, url }) => `<p style="${style.told}">${linked(html(text), url)}</p>`),
    `<h2 style="${style.head}">${html(words.keyFigures)}</h2>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    ...queriesOf(letter),
    restated,
    ...links.map(({ name, url }) => `<p><a href="${html(url)}">${html(name)}</a></p>`),
    `<p style="${style.quiet}">${facts.join('<br>')}</p>`,
    `<p style="${style.quiet}"><a href="${html(unsubscribe)}">${html(words.mail.noMore)}</a></p></body></html>`,
  ].join('\n');
}
