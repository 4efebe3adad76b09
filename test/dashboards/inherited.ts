// Names that every object inherits: whoever names a tag may choose them, and a plain object used as a dictionary meets them.

export const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

/** What a dictionary that was fooled writes to: the prototype of all objects, its functions, and `Object` itself. */
export function belongings(): string[] {
  const functions = Object.getOwnPropertyNames(Object.prototype).flatMap((name) => {
    const value: unknown = Reflect.get(Object.prototype, name);
    return typeof value === 'function' ? Object.getOwnPropertyNames(value).map((own) => `${name}.${own}`) : [];
  });
  return [...Object.getOwnPropertyNames(Object.prototype), ...functions].sort();
}
