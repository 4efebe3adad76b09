// Inputs and result of rendering a document: plain values, so that another process can do it.
import type { AgentsDocument } from '../agents-document.ts';
import type { Brand } from '../brand.ts';
import type { DigestDocument } from '../document.ts';
import { agentsPdfOf, pdfOf, type Warn } from '../pdf/pdf.ts';
import { csvFileOf, csvZipOf } from '../tables/csv.ts';
import type { Tabled } from '../tables/sheets.ts';
import { xlsxOf } from '../tables/xlsx.ts';

export type RenderJob =
  | { format: 'pdf'; document: DigestDocument; brand: Brand }
  | { format: 'csv' | 'xlsx'; document: DigestDocument }
  | { format: 'agents.pdf'; document: AgentsDocument; brand: Brand }
  /** The numbers of one panel. */
  | { format: 'panel.csv' | 'panel.xlsx'; about: Tabled };

/** The bytes of a document, and what it goes without in a sentence; the same job gives the same bytes. */
export async function bytesOf(job: RenderJob, warn?: Warn): Promise<Uint8Array> {
  switch (job.format) {
    case 'pdf':
      return pdfOf(job.document, job.brand, warn);
    case 'agents.pdf':
      return agentsPdfOf(job.document, job.brand, warn);
    case 'csv':
      return csvZipOf(job.document);
    case 'xlsx':
      return xlsxOf(job.document);
    case 'panel.csv':
      return csvFileOf(job.about);
    case 'panel.xlsx':
      return xlsxOf(job.about);
  }
}
