// What a digest is when it is handed over: its words, its files, and to whom.
import { createHash } from 'node:crypto';
import { plainText } from '../plain-text.ts';

/** A document of a digest. */
export interface File {
  name: string;
  /** Media type. */
  type: string;
  bytes: Uint8Array;
}

/** A key figure in one line. */
export interface FigureLine {
  title: string;
  text: string;
  change: string;
}

/** What a channel hands over, in words: it knows no panel and no metric. */
export interface Letter {
  digest: string;
  /** Label of the period, as `2026-W46`. */
  period: string;
  /** Who gets it. */
  reader: { name: string; address?: string | undefined };
  title: string;
  language: string;
  /** The period in words. */
  about: string;
  /** Sentences that must be seen before the numbers. */
  stamps: readonly string[];
  figures: readonly FigureLine[];
  /** What changed beyond chance, in sentences, each with the address of its receipt where readers reach the pages. */
  changes: readonly { text: string; url: string | null }[];
  /** Numbers of earlier issues that changed since. */
  restated: { intro: string; lines: readonly { text: string; why: string }[] } | null;
  /** What the numbers stand on. */
  basis: { zone: string; filters: string; freshness: string; settles: string; snapshot: string };
  files: readonly File[];
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

export const subjectOf = ({ title, about }: Letter): string => plainText(`${title}, ${about}`);

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
