// What stands in place of words that are erased or redacted: as many dots as there were characters.

export const dot = '·';

/** Counted in code points, as engines count them. */
export const dotted = (text: string): string => dot.repeat([...text].length);

/** The same, and what is between words stays: they can be counted as before. */
export const dottedWords = (text: string): string =>
  inAscii.test(text) ? dot.repeat(text.length) : text.replace(/\S/gu, dot);
const inAscii = /^[!-~]*$/;

/** What stands in place of the name of an erased visitor. */
export const erasedName = 'erased visitor';
