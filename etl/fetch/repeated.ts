// Finds a name that occurs twice in one object of an answer: parsers take the last one and silently drop the first.

const tokens = /["[\]{}]/g;
const colon = /\s*:/y;

/**
 * The first such name in the outermost object or in objects within it; undefined if there is none. Lists hold records, which must not
 * invalidate the others of their page, so they are skipped. `text` is JSON.
 */
export function repeatedName(text: string): string | undefined {
  /** For each object or list that is open: its names, or null where they do not matter. */
  const open: (Set<string> | null)[] = [];
  tokens.lastIndex = 0;
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const [token] = found;
    const names = open.at(-1);
    if (token === '{') open.push(names === null ? null : new Set());
    else if (token === '[') open.push(null);
    else if (token !== '"') open.pop();
    else {
      const end = afterText(text, found.index);
      tokens.lastIndex = end;
      if (!names || !isName(text, end)) continue;
      const name = JSON.parse(text.slice(found.index, end)) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

function isName(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

/** The place after the text that begins at `from`. */
function afterText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
