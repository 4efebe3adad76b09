// Renders a document as a tagged PDF with its charts, tables and definitions. The same document gives the same bytes.
import type { DigestDocument } from '../document.ts';
import { typeset } from './compiler.ts';
import { packed } from './object-streams.ts';
import { pagesOf } from './pages.ts';

export const pdfOf = async (document: DigestDocument): Promise<Uint8Array> => packed(await typeset(pagesOf(document)));
