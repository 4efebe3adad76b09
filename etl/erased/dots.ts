// Replacement for erased or redacted words: as many dots as there were characters.

export const dot = '·';

/** Counted in code points, as engines count them. */
export const dotted = (text: string): string => dot.repeat([...text].length);

/** The same, but keeps separators, so that words can still be counted. */
export const dottedWords = (text: string): string =>
  inAscii.test(text) ? dot.repeat(text.length) : text.replace(/\S/gu, dot);
const inAscii = /^[!-~]*$/;

/** Replaces the name of an erased visitor. */
export const erasedName = 'erased visitor';
