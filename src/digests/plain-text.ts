// Makes text of others harmless to set: no control characters, no switches of direction, and places to break endless words.

const unseen = /[\p{Cc}\u00ad\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;
const endless = /[^\s\u200b]{30,}/gu;
const breakable = 15;

/** One line of text without hidden characters. */
export const plainText = (text: string): string =>
  text.replaceAll(/[\t\r\n\u2028\u2029]+/g, ' ').replaceAll(unseen, '');

/** The same with invisible places to break long words at. */
export const breakableText = (text: string): string =>
  plainText(text).replaceAll(endless, (word) => {
    const letters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
    return letters.map((letter, at) => (at > 0 && at % breakable === 0 ? `\u200b${letter}` : letter)).join('');
  });
