// What a digest says when it is handed over: its key figures and sentences, taken out of a document.
import type { Letter, Line } from './channels/letter.ts';
import type { DigestDocument, KeyFigure } from './document.ts';
import { plainText } from './plain-text.ts';

/** Every key figure in one line. */
function linesOf({ keyFigures, sections }: DigestDocument): Line[] {
  const all: KeyFigure[] = [...keyFigures, ...sections.flatMap((section) => section.keyFigures)];
  return all.flatMap(({ title, figures }) =>
    figures.map(({ text, change }) => ({ title, text: plainText(text), change: change?.text ?? '' })),
  );
}

/** The words of a letter about a document. */
export function wordsOf(
  document: DigestDocument,
): Pick<Letter, 'title' | 'language' | 'about' | 'stamps' | 'figures' | 'changes' | 'restated' | 'basis'> {
  const { title, language, stamps, cover, change, restated } = document;
  const { zone, filters, freshness, settles, snapshot } = cover;
  return {
    ...{ title, language, about: cover.period, stamps, figures: linesOf(document) },
    ...{ changes: change?.sentences ?? [], restated: restated ?? null },
    basis: { zone, filters, freshness, settles, snapshot },
  };
}
