// Which of many words stand in a long text: one walk through the text, and not one for each word.

/** Errors: a word that is empty. */
export function wordsIn(words: readonly string[]): (text: string) => string[] {
  const length = Math.min(8, ...words.map((word) => word.length));
  if (length < 1) throw new Error('an empty word stands in every text');
  const byBeginning = Map.groupBy(new Set(words), (word) => word.slice(0, length));
  return (text) => {
    const found = new Set<string>();
    for (let at = 0; at + length <= text.length; at += 1)
      for (const word of byBeginning.get(text.slice(at, at + length)) ?? [])
        if (text.startsWith(word, at)) found.add(word);
    return [...found];
  };
}
