// Finds a name that stands twice in one object of an answer: whoever parses it takes the last one, and the first is lost in silence.

const tokens = /["[\]{}]/g;
const colon = /\s*:/y;

/**
 * The first such name of the outermost object and of objects in it; nothing when there is none. What stands in a list is
 * a record, which must not spoil the others of its page. `text` is JSON.
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
