// Parses a request body, JSON or a form with any bracket syntax (`tag[]=a`, `rules[0][type]=x`), into one nested value.

type Nested = Record<string, unknown>;

/** Deeper and wider than any argument of the API; whatever exceeds it is ignored. */
const deepest = 6;
const mostPairs = 5000;

/** The body as an object. Throws a SyntaxError with a readable sentence when it is neither a JSON object nor a form. */
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

/** Bracketed names become lists and objects; a repeated plain name becomes a list. */
function nested(pairs: readonly [string, unknown][]): Nested {
  let values = 0;
  const root = made();
  for (const [key, value] of pairs) {
    const name = /^[^[\]]+/.exec(key)?.[0] ?? key;
    const brackets = [...key.slice(name.length).matchAll(/\[([^[\]]*)\]/g)].map(([, inner]) => inner ?? '');
    const listed = brackets.at(-1) === '' && Array.isArray(value) ? (value as unknown[]) : [value];
    values += Math.max(listed.length, 1);
    if (values > mostPairs) throw new SyntaxError(`the body must have at most ${mostPairs} fields`);
    if (brackets.length > deepest) continue;
    for (const each of listed) put(root, [name, ...brackets], each);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settled(value)]));
}

function put(target: Nested, [name = '', ...rest]: string[], value: unknown): void {
  const next = built.get(target) ?? 0;
  const key = name === '' ? String(next) : name;
  if (/^\d{1,9}$/.test(key)) built.set(target, Math.max(next, Number(key) + 1));
  if (rest.length === 0) {
    target[key] = name !== '' && key in target ? [target[key], value].flat() : value;
    return;
  }
  const had = target[key];
  const child = isBuilt(had) ? had : (target[key] = made());
  put(child, rest, value);
}

/** What was made of brackets, each with the number of its next element without a name. */
const built = new WeakMap<object, number>();
function made(): Nested {
  const value = Object.create(null) as Nested;
  built.set(value, 0);
  return value;
}
const isBuilt = (value: unknown): value is Nested => typeof value === 'object' && value !== null && built.has(value);

/** A value built from brackets: a list if all its keys are numbers, otherwise an object. */
function settled(value: unknown): unknown {
  if (!isBuilt(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, each]) => settled(each));
  return Object.fromEntries(entries.map(([key, each]) => [key, settled(each)]));
}
