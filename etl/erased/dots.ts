// What stands in place of words that are erased: as many dots as there were characters.

export const dot = '·';

/** Counted in code points, as engines count them. */
export const dotted = (text: string): string => dot.repeat([...text].length);

/** What stands in place of the name of an erased visitor. */
export const erasedName = 'erased visitor';
