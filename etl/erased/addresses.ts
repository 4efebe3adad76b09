// E-mail addresses in texts, and the normal form in which they are compared.

/** The form used for comparison: trimmed and in lower case. */
export const addressOf = (text: string): string => text.trim().toLowerCase();

const alone = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Whether the whole text is an address. */
export const isAddress = (text: string): boolean => alone.test(text.trim());

const beforeAt = /[\p{L}\p{N}\p{M}._%+'-]/u;
const inAscii = /[A-Za-z0-9._%+'-]/;
const fromAt = /@[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+/uy;

/** Where a part of a text begins and ends. */
export interface TextSpan {
  start: number;
  end: number;
}

/** Addresses in order of appearance. Runs in linear time: each character is read once or twice, whatever the text contains. */
export function placesOfAddresses(text: string): TextSpan[] {
  const places: TextSpan[] = [];
  let taken = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    fromAt.lastIndex = at;
    const start = beginning(text, at, taken);
    const domain = start === at ? null : fromAt.exec(text);
    if (!domain) continue;
    taken = at + domain[0].length;
    places.push({ start, end: taken });
  }
  return places;
}

/** Start of the name before an at sign, no earlier than `taken`; a quote in front of it is not included. */
function beginning(text: string, at: number, taken: number): number {
  let start = at;
  while (start > taken) {
    if (inAscii.test(text.charAt(start - 1))) {
      start -= 1;
      continue;
    }
    const isHalf = start - 2 >= taken && /[\udc00-\udfff]/.test(text.charAt(start - 1));
    const before = text.slice(start - (isHalf ? 2 : 1), start);
    if (!beforeAt.test(before)) break;
    start -= before.length;
  }
  while (start < at && text[start] === "'") start += 1;
  return start;
}

/** The text with every address replaced. */
export function replaceAddresses(text: string, by: (address: string) => string): string {
  const places = placesOfAddresses(text);
  if (places.length === 0) return text;
  let left = '';
  let from = 0;
  for (const { start, end } of places) {
    left += text.slice(from, start) + by(text.slice(start, end));
    from = end;
  }
  return left + text.slice(from);
}
