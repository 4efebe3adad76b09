// Parses several mail addresses typed or pasted at once: separated by commas, semicolons or lines, optionally with names.
import type { AddressedPerson } from './people.ts';

/** `Ann Lee <ann@example.com>`, `"Lee, Ann" <ann@example.com>` or `ann@example.com`. */
const one = /(?:"([^"]*)"|([^<>",;\n\r]*))\s*<\s*([^<>\s,;]+@[^<>\s,;]+)\s*>|([^<>\s,;"]+@[^<>\s,;"]+)/gu;

/** Each address once, in the order of the text; a person without a name has the address as name. */
export function addressesIn(text: string): AddressedPerson[] {
  const found = new Map<string, AddressedPerson>();
  for (const [, quoted, plain, inBrackets, alone] of text.matchAll(one)) {
    const address = (inBrackets ?? alone ?? '').replace(/^mailto:/i, '');
    const key = address.toLowerCase();
    if (!found.has(key)) found.set(key, { name: (quoted ?? plain ?? '').trim() || address, address });
  }
  return [...found.values()];
}
