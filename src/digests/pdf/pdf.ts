// The document of an edition: a tagged PDF with its charts, tables and definitions. The same edition gives the same bytes.
import type { Edition } from '../edition.ts';
import { typeset } from './compiler.ts';
import { packed } from './packed.ts';
import { pagesOf } from './pages.ts';

export const pdfOf = async (edition: Edition): Promise<Uint8Array> => packed(await typeset(pagesOf(edition)));
