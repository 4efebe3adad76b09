// What a digest is when it is handed over: the edition, its files, to whom, and the words around them.
import { createHash } from 'node:crypto';
import type { Edition, KeyFigure } from '../edition.ts';
import type { Reader } from '../digest.ts';
import { plainText } from '../plain-text.ts';
import type { File } from '../rendered.ts';

export interface Letter {
  digest: string;
  period: string;
  reader: Reader;
  edition: Edition;
  files: File[];
  /** The same at every try, so that a receiver can tell a repetition. */
  message_id: string;
  /** Address of a file, when there is a public address. */
  linkTo: ((file: File) => string) | null;
}

/** `<hex>@host`; the same for the same send of the same installation. */
export function messageIdOf(key: string, send: readonly string[], from: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, ...send]))
    .digest('hex');
  const host = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'chatledger.invalid';
  return `<${hash.slice(0, 40)}@${host}>`;
}

export const subjectOf = ({ edition }: Letter): string => plainText(`${edition.title}, ${edition.cover.period}`);

export interface Line {
  title: string;
  text: string;
  change: string;
}

/** Every key figure in one line. */
export function linesOf({ keyFigures, sections }: Edition): Line[] {
  const all: KeyFigure[] = [...keyFigures, ...sections.flatMap((section) => section.keyFigures)];
  return all.flatMap(({ title, figures }) =>
    figures.map(({ text, change }) => ({ title, text: plainText(text), change: change?.text ?? '' })),
  );
}

/** A folder or file name made of a name: what it cannot hold is left out, and then a few letters tell names apart. */
export function slugOf(name: string): string {
  const kept = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 48);
  if (kept === name) return kept;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return kept ? `${kept}-${hash}` : hash;
}
