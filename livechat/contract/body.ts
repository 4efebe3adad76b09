// How a body arrives: JSON or a form, with every bracket form (`tag[]=a`, `rules[0][type]=x`), as one nested value.

type Nested = Record<string, unknown>;

/** Deeper or wider than any argument; what goes beyond is no argument. */
const deepest = 6;
const mostPairs = 5000;

/** The body as an object. Throws a SyntaxError with a sentence for what is neither JSON object nor form. */
export function bodyOf(text: string, type: string): Nested {
  if (text.trim() === '') return {};
  if (/json/i.test(type) || /^\s*[{[]/.test(text)) {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new SyntaxError('the body must be a JSON object');
    return nested(Object.entries(value));
  }
  return nested([...new URLSearchParams(text)]);
}

/** Bracketed names become lists and objects; a plain name said again becomes a list. */
function nested(pairs: readonly [string, unknown][]): Nested {
  if (pairs.length > mostPairs) throw new SyntaxError(`the body must have at most ${mostPairs} fields`);
  const root = Object.create(null) as Nested;
  for (const [key, value] of pairs) {
    const name = /^[^[\]]+/.exec(key)?.[0] ?? key;
    const brackets = [...key.slice(name.length).matchAll(/\[([^[\]]*)\]/g)].map(([, inner]) => inner ?? '');
    if (brackets.length > deepest) continue;
    const listed = brackets.at(-1) === '' && Array.isArray(value) ? (value as unknown[]) : [value];
    for (const each of listed) put(root, [name, ...brackets], each);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settled(value)]));
}

function put(target: Nested, [name = '', ...rest]: string[], value: unknown): void {
  const key = name === '' ? String(Object.keys(target).length) : name;
  if (rest.length === 0) {
    target[key] = name !== '' && key in target ? [target[key], value].flat() : value;
    return;
  }
  const had = target[key];
  const child = isBuilt(had) ? had : (target[key] = made());
  put(child, rest, value);
}

const built = new WeakSet<object>();
function made(): Nested {
  const value = Object.create(null) as Nested;
  built.add(value);
  return value;
}
const isBuilt = (value: unknown): value is Nested => typeof value === 'object' && value !== null && built.has(value);

/** What was built of brackets: a list where all names are numbers, else an object. */
function settled(value: unknown): unknown {
  if (!isBuilt(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, each]) => settled(each));
  return Object.fromEntries(entries.map(([key, each]) => [key, settled(each)]));
}
