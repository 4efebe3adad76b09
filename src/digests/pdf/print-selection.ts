// Selects the printed parts of a document: everything, or for a short one the key figures and a few time charts.
import { metricsOf, type DigestDocument, type KeyFigure, type Section, type Shown } from '../document.ts';
import { words } from '../words.ts';

/** The number that fits on two pages below the key figures: one at full width, the others two per row. */
const most_pictures = 7;
const most_key_figures = 8;

interface Printed {
  /** What has no place in it, besides those of the document. */
  stamps: readonly string[];
  keyFigures: readonly KeyFigure[];
  sections: readonly Section[];
  definitions: DigestDocument['definitions'];
}

export function printedOf(document: DigestDocument): Printed {
  const { length, keyFigures, sections, definitions } = document;
  if (length !== 'short') return { stamps: [], keyFigures, sections, definitions };
  const queries = sections.reduce((sum, section) => sum + (section.queries?.length ?? 0), 0);
  const figures = [...keyFigures, ...sections.flatMap((section) => section.keyFigures)].slice(0, most_key_figures);
  const pictures = inTurn(sections.map((section) => section.panels.filter(isOverTime))).slice(0, most_pictures);
  // The first picture takes the full width, and so does a last one without a neighbour.
  const isWhole = (at: number): boolean => at === 0 || (at % 2 === 1 && at === pictures.length - 1);
  const panels = pictures.map((shown, at) => ({ ...shown, panel: { ...shown.panel, half: !isWhole(at) } }));
  const shown = new Set([...figures, ...panels].flatMap(({ panel }) => metricsOf(panel)));
  return {
    stamps: queries > 0 ? [words.query.notShort(queries)] : [],
    keyFigures: figures,
    sections: [{ title: '', sentence: '', keyFigures: [], panels }],
    definitions: definitions.filter(({ id }) => shown.has(id)),
  };
}

/** Lists of people and grids of hours take a page of their own. */
const isOverTime = ({ panel: { picture }, nothing }: Shown): boolean =>
  nothing === undefined && ['lines', 'bars', 'split'].includes(picture);

/** The first of each list, then the second of each. */
const inTurn = <One>(lists: readonly (readonly One[])[]): One[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
