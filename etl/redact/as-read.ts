// A text as somebody reads it: entities and escapes of addresses are the characters that they stand for, digits of other
// scripts are digits, and what nobody sees is not there. Pure.
import type { Place } from '../erased/addresses.ts';

export interface AsRead {
  text: string;
  /** Where in the text as it is stored that part of it stands. */
  stored(place: Place): Place;
}

const named: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', tab: ' ', newline: '\n', hyphen: '-', dash: '-', ndash: '-' },
  ...{ mdash: '-', minus: '-', commat: '@', period: '.', lowbar: '_', plus: '+', shy: '', zwj: '', zwnj: '' },
};
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
const entity = `&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|${Object.keys(named).join('|')});`;
const digits = zeros.map((zero) => `${escape(zero)}-${escape(zero + 9)}`).join('');
/** Also Latin letters and signs in the width of Chinese characters. */
const unseen = '\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff';
const odd = new RegExp(`${entity}|%[2-7][0-9a-fA-F]|%0[aAdD9]|[${unseen}${digits}\\uff01-\\uff5e]`, 'giu');
const isOdd = new RegExp(`[&%${unseen}${digits}\\uff01-\\uff5e]`, 'u');

function escape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

export function asRead(text: string): AsRead {
  if (!isOdd.test(text)) return { text, stored: (place) => place };
  const starts: number[] = [];
  const ends: number[] = [];
  let read = '';
  const add = (what: string, start: number, end: number): void => {
    read += what;
    for (let unit = 0; unit < what.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  const addAsIs = (start: number, end: number): void => {
    read += text.slice(start, end);
    for (let at = start; at < end; at += 1) {
      starts.push(at);
      ends.push(at + 1);
    }
  };
  let from = 0;
  for (const { 0: found, index } of text.matchAll(odd)) {
    addAsIs(from, index);
    from = index + found.length;
    add(meaningOf(found), index, from);
  }
  addAsIs(from, text.length);
  return {
    text: read,
    stored: ({ start, end }) => ({ start: starts[start] ?? text.length, end: ends[end - 1] ?? text.length }),
  };
}

function meaningOf(found: string): string {
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (found.startsWith('&#')) {
    const number = found.slice(2, -1);
    return characterOf(/^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number)) ?? found;
  }
  if (found.startsWith('&')) return named[found.slice(1, -1).toLowerCase()] ?? found;
  return characterOf(found.charCodeAt(0)) ?? found;
}

/** Nothing when there is no such character. */
function characterOf(code: number): string | undefined {
  const zero = zeros.find((each) => code >= each && code < each + 10);
  if (zero !== undefined) return String(code - zero);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  const isUnseen = new RegExp(`^[${unseen}]$`, 'u');
  if (code === 0 || code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  return isUnseen.test(character) ? '' : character;
}
