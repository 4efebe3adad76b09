// A text as a person reads it: entities and URL escapes are decoded, digits of other scripts become ASCII digits, and invisible
// characters are dropped. Pure.
import type { TextSpan } from '../erased/addresses.ts';

interface AsRead {
  text: string;
  /** Maps a position in the normalized text to the stored text. */
  stored(place: TextSpan): TextSpan;
}

const named: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', tab: ' ', newline: '\n', hyphen: '-', dash: '-', ndash: '-' },
  ...{ mdash: '-', minus: '-', commat: '@', period: '.', lowbar: '_', plus: '+', shy: '', zwj: '', zwnj: '' },
};
/** Code points of zero in other scripts. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
/** First and last of characters that nobody sees. */
const unseen = [
  ...[[0xad], [0x180e], [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x2064], [0xfe00, 0xfe0f], [0xfeff]],
].map(([first = 0, last = first]) => [first, last] as const);
/** Full-width Latin letters and signs. */
const [first_wide, last_wide, from_wide] = [0xff01, 0xff5e, 0xfee0];

export const first_odd = 0xad;
const isUnseen = (code: number): boolean => unseen.some(([first, last]) => code >= first && code <= last);
const isDigit = (code: number): boolean => zeros.some((zero) => code >= zero && code < zero + 10);
/** Between these are European letters and typographic quotes, dashes and dots, which need no mapping. */
const [last_plain, first_typeset, last_typeset] = [0x65f, 0x2010, 0x2029];

/** The character is not the one that is read. */
export const isOdd = (code: number): boolean =>
  code === first_odd ||
  (code > last_plain &&
    (code < first_typeset || code > last_typeset) &&
    ((code >= first_wide && code <= last_wide) || isUnseen(code) || isDigit(code)));

const written = new RegExp(
  `&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|${Object.keys(named).join('|')});|%[2-7][0-9a-f]|%0[ad9]`,
  'iy',
);

export function asRead(text: string): AsRead {
  let read = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let isSame = true;
  for (let at = 0; at < text.length;) {
    const { meaning, length } = nextIn(text, at);
    isSame &&= meaning === text[at];
    for (let unit = 0; unit < meaning.length; unit += 1) {
      starts.push(at);
      ends.push(at + length);
    }
    read += meaning;
    at += length;
  }
  if (isSame) return { text, stored: (place) => place };
  return {
    text: read,
    stored: ({ start, end }) => ({ start: starts[start] ?? text.length, end: ends[end - 1] ?? text.length }),
  };
}

/** The character at a position, and its length there. */
function nextIn(text: string, at: number): { meaning: string; length: number } {
  const code = text.charCodeAt(at);
  if (code === 37 || code === 38) {
    written.lastIndex = at;
    const [found] = written.exec(text) ?? [];
    if (found !== undefined) return { meaning: meaningOf(found), length: found.length };
  }
  return { meaning: code >= first_odd && isOdd(code) ? characterOf(code) : text.charAt(at), length: 1 };
}

function meaningOf(found: string): string {
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (!found.startsWith('&#')) return named[found.slice(1, -1).toLowerCase()] ?? found;
  const number = found.slice(2, -1);
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  return code > 0 && code <= 0x10ffff ? characterOf(code) : found;
}

function characterOf(code: number): string {
  const zero = zeros.find((each) => code >= each && code < each + 10);
  if (zero !== undefined) return String(code - zero);
  if (isUnseen(code)) return '';
  return String.fromCodePoint(code >= first_wide && code <= last_wide ? code - from_wide : code);
}
