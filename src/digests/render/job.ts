// What a document is made from and what comes of it: plain values, so that another process can make it.
import type { Edition } from '../edition.ts';
import { pdfOf } from '../pdf/pdf.ts';
import { csvFileOf, csvZipOf } from '../tables/csv.ts';
import type { Tabled } from '../tables/sheets.ts';
import { xlsxOf } from '../tables/xlsx.ts';

export type Job =
  | { format: 'pdf' | 'csv' | 'xlsx'; edition: Edition }
  /** The numbers of one panel. */
  | { format: 'panel.csv' | 'panel.xlsx'; about: Tabled };

/** The bytes of a document; the same job gives the same bytes. */
export async function bytesOf(job: Job): Promise<Uint8Array> {
  switch (job.format) {
    case 'pdf':
      return pdfOf(job.edition);
    case 'csv':
      return csvZipOf(job.edition);
    case 'xlsx':
      return xlsxOf(job.edition);
    case 'panel.csv':
      return csvFileOf(job.about);
    case 'panel.xlsx':
      return xlsxOf(job.about);
  }
}
