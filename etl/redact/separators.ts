// Separators allowed between the groups of a written number: spaces, line ends and dashes, up to three of them.

/** Inside of a class of a regular expression. */
export const separator = '\\s\\u2010-\\u2015\\u2212-';
export const most_separators = 3;
