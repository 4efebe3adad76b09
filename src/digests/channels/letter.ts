// A digest at delivery: its texts, its files and its recipient.
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
  /** Or why there is no number. */
  change: string;
}

/** The content of a delivery in words; channels know no panels or metrics. */
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
  /** Saved queries of boards: whose each is, and its answer in a few words, or why there is none (then without a mark). */
  queries: readonly { title: string; text: string; mark: string }[];
  /** Changes beyond chance, as sentences, each with the address of its receipt if readers can reach the pages. */
  changes: readonly { text: string; url: string | null }[];
  /** Numbers of earlier issues that changed since. */
  restated: { intro: string; lines: readonly { text: string; why: string }[] } | null;
  /** The basis of the numbers. */
  basis: { zone: string; filters: string; freshness: string; settles: string; snapshot: string };
  files: readonly File[];
  /** The same at every try, so that a receiver can tell a repetition. */
  message_id: string;
  /** Address of a file, if there is a public address. */
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

/** A folder or file name derived from a name: unsupported characters are dropped, and a short hash keeps names distinct. */
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
