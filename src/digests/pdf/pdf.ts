// Renders documents as tagged PDFs: digests with their charts, tables and definitions, and the table of agents. The same document gives
// the same bytes.
import type { AgentsDocument } from '../agents-document.ts';
import { ownBrand, type Brand } from '../brand.ts';
import type { DigestDocument } from '../document.ts';
import { agentsPages } from './agents-pages.ts';
import { typeset, type Template } from './compiler.ts';
import { packed } from './object-streams.ts';
import { pagesOf } from './pages.ts';

/** Told what a document goes without. */
export type Warn = (sentence: string) => void;
const unheard: Warn = () => undefined;

export const pdfOf = (document: DigestDocument, brand = ownBrand, warn = unheard): Promise<Uint8Array> =>
  branded((as) => pagesOf(document, as), 'document', brand, warn);

export const agentsPdfOf = (document: AgentsDocument, brand = ownBrand, warn = unheard): Promise<Uint8Array> =>
  branded((as) => agentsPages(document, as), 'agents', brand, warn);

/** A logo that cannot be read is left out. */
async function branded(
  pages: (brand: Brand) => Map<string, string>,
  template: Template,
  brand: Brand,
  warn: Warn,
): Promise<Uint8Array> {
  const { logo } = brand;
  if (logo === null) return packed(await typeset(pages(brand), template));
  try {
    return packed(await typeset(pages(brand), template, logo.png));
  } catch (error) {
    const made = packed(await typeset(pages({ ...brand, logo: null }), template));
    const reason = error instanceof Error ? error.message : String(error);
    warn(`the logo is left out of a document, because it cannot be read: ${reason}`);
    return made;
  }
}
