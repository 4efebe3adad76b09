// Renders documents as tagged PDFs: digests with their charts, tables and definitions, and the table of agents. The same document gives
// the same bytes.
import type { AgentsDocument } from '../agents-document.ts';
import type { Brand } from '../brand.ts';
import type { DigestDocument } from '../document.ts';
import { agentsPages } from './agents-pages.ts';
import { typeset } from './compiler.ts';
import { packed } from './object-streams.ts';
import { pagesOf } from './pages.ts';

export const pdfOf = async (document: DigestDocument, brand?: Brand): Promise<Uint8Array> =>
  packed(await typeset(pagesOf(document, brand), 'document'));

export const agentsPdfOf = async (document: AgentsDocument, brand?: Brand): Promise<Uint8Array> =>
  packed(await typeset(agentsPages(document, brand), 'agents'));
