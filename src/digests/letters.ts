// The text of a delivery: key figures and sentences taken from a document.
import type { Letter, FigureLine } from './channels/letter.ts';
import type { DigestDocument, KeyFigure } from './document.ts';
import { plainText } from './plain-text.ts';

/** Every key figure in one line. */
function linesOf({ keyFigures, sections }: DigestDocument): FigureLine[] {
  const all: KeyFigure[] = [...keyFigures, ...sections.flatMap((section) => section.keyFigures)];
  return all.flatMap(({ title, figures }) =>
    figures.map(({ text, change, reason }) => ({ title, text: plainText(text), change: change?.text ?? reason ?? '' })),
  );
}

/** Each saved query in one line. */
const queriesOf = ({ sections }: DigestDocument): Letter['queries'] =>
  sections.flatMap(({ queries = [] }) =>
    queries.map(({ title, short, sentence, result }) => {
      const [mark = ''] = sentence.split('. ');
      return { title: plainText(title), text: plainText(short), mark: result ? mark.replace(/\.$/, '') : '' };
    }),
  );

/** The text of a letter about a document; `pages_url`: where its readers reach the pages. */
export function wordsOf(
  document: DigestDocument,
  pages_url: string | null,
): Pick<Letter, 'title' | 'language' | 'about' | 'stamps' | 'figures' | 'queries' | 'changes' | 'restated' | 'basis'> {
  const { title, language, stamps, cover, clear, restated } = document;
  const changes = clear.map(({ text, path }) => ({
    text,
    url: pages_url !== null && path !== undefined ? `${pages_url.replace(/\/+$/, '')}${path}` : null,
  }));
  const { zone, filters, freshness, settles, snapshot } = cover;
  return {
    ...{ title, language, about: cover.period, stamps, figures: linesOf(document) },
    queries: queriesOf(document),
    ...{ changes, restated: restated ?? null },
    basis: { zone, filters, freshness, settles, snapshot },
  };
}
