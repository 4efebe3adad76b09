// The files of one document by format, with descriptive names.
import type { BoardLayout } from '#dashboards/boards.ts';
import type { Digest, Format, DigestReader } from './digest.ts';
import { ownBrand, type Brand } from './brand.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { digestQuestions } from './digest-questions.ts';
import type { File } from './channels/letter.ts';
import { digestDocument, type DigestDocument, type DocumentOrder } from './document.ts';
import type { DigestPeriod } from './periods.ts';
import { rendered } from './render/renderer.ts';
import type { AnsweredQuery } from './query-answers.ts';
import type { Restated } from './restated.ts';
import type { TargetTerms } from '#reports/targets/target.ts';

export interface Rendered {
  document: DigestDocument;
  files: File[];
}

const types: Record<Format, [ending: string, type: string]> = {
  pdf: ['pdf', 'application/pdf'],
  csv: ['csv.zip', 'application/zip'],
  xlsx: ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
};

/** `stem` is the file name without its ending; `brand` stands in PDFs. Errors: RendererBusy, Cancelled. */
export async function filesOf(
  document: DigestDocument,
  formats: readonly Format[],
  stem: string,
  brand: Brand,
): Promise<File[]> {
  const files: File[] = [];
  for (const format of formats) {
    const [ending, type] = types[format];
    files.push({ name: `${stem}.${ending}`, type, bytes: await rendered({ format, document, brand }) });
  }
  return files;
}

/** The zone of a reader, else that of the digest's schedule. */
export const zoneFor = ({ schedule }: Digest, reader: DigestReader): string => reader.timezone ?? schedule.timezone;

/** Renders a digest for one period and reader, whose zone, language and rows apply throughout. Errors: NothingToSee. */
export async function renderedFor(
  digest: Digest,
  reader: DigestReader,
  period: DigestPeriod,
  context: QueryContext,
  told: {
    stamps: readonly string[];
    boards: readonly BoardLayout[] | undefined;
    restated?: Restated | undefined;
    /** Saved queries of the boards; missing: none were run. */
    queries?: readonly AnsweredQuery[] | undefined;
    formats?: readonly Format[];
    /** Those of the account, including history. */
    targets: readonly TargetTerms[];
    /** By default the program's own. */
    brand?: Brand | undefined;
  },
): Promise<Rendered> {
  const scope = { period, timezone: zoneFor(digest, reader), filters: digest.filters };
  const order: DocumentOrder = {
    title: digest.title,
    reader: reader.name,
    language: reader.language ?? digest.language,
    paper: digest.paper,
    length: digest.length,
    content: digest.content,
    boards: told.boards,
    stamps: told.stamps,
    restated: told.restated,
    queries: told.queries,
  };
  const document = await digestDocument(await digestQuestions(context, scope, told.targets), order);
  const { formats = digest.formats, brand = ownBrand } = told;
  return { document, files: await filesOf(document, formats, `${digest.id}-${period.label}`, brand) };
}
