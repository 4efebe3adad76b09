// Texts as digests of 16 bits, and which digests say which text it is: those of which no second text was ever seen.

export function createTextDigests() {
  const lone = new Map<number, string>();
  const is_shared = new Uint8Array(2 ** 16);
  return {
    /** The digest of a text that somebody has. */
    of(text: string): number {
      const digest = digestOf(text);
      if (is_shared[digest] === 1) return digest;
      const had = lone.get(digest);
      if (had === undefined) lone.set(digest, text);
      else if (had !== text) {
        is_shared[digest] = 1;
        lone.delete(digest);
      }
      return digest;
    },
    /** Marks digests that are those of these texts alone; `others` are texts of which the digest does not tell. */
    marksOf(texts: Iterable<string>): { marks: Uint8Array; others: string[] } {
      const marks = new Uint8Array(2 ** 16);
      const others = new Set<string>();
      for (const text of texts) {
        const digest = digestOf(text);
        if (lone.get(digest) === text) marks[digest] = 1;
        else if (is_shared[digest] === 1) others.add(text);
      }
      return { marks, others: [...others] };
    },
  };
}

/** FNV-1a, folded; 0 is the empty text alone. */
function digestOf(text: string): number {
  if (text === '') return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff || 1;
}
