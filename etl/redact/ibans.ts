// Finds bank account numbers (IBAN, ISO 13616): of the length that their country prescribes, with valid check digits. Pure.
import type { TextSpan } from '../erased/addresses.ts';
import { most_separators, separator } from './separators.ts';

/** Length of an IBAN in characters, by country, from the SWIFT registry. */
export const lengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BI: 27, BR: 29, BY: 28, CH: 21 },
  ...{ CR: 22, CY: 28, CZ: 24, DE: 22, DJ: 27, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FK: 18, FO: 18 },
  ...{ FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28, HN: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23 },
  ...{ IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27 },
  ...{ MD: 24, ME: 22, MK: 19, MN: 20, MR: 27, MT: 31, MU: 30, NI: 28, NL: 18, NO: 15, OM: 23, PK: 24, PL: 28 },
  ...{ PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, RU: 33, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27 },
  ...{ SO: 23, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20, YE: 30 },
};

const beginnings = /[A-Za-z]{2}[0-9]{2}/g;
const next = new RegExp(`[${separator}]{0,${most_separators}}([A-Za-z0-9])`, 'uy');
const isDigit = /^[0-9]/;

/** An IBAN must not be part of a longer word or number; the word IBAN may directly precede it. */
export function placesOfIbans(text: string): TextSpan[] {
  const places: TextSpan[] = [];
  for (const { 0: begun, index } of text.matchAll(beginnings)) {
    const length = lengths[begun.slice(0, 2).toUpperCase()];
    if (length === undefined || !isFree(text.slice(Math.max(0, index - 5), index))) continue;
    let number = begun;
    next.lastIndex = index + begun.length;
    let end = next.lastIndex;
    while (number.length < length) {
      const found = next.exec(text);
      if (!found) break;
      number += found[1] ?? '';
      end = next.lastIndex;
    }
    if (number.length === length && !isDigit.test(text[end] ?? '') && isChecked(number))
      places.push({ start: index, end });
  }
  return places;
}

const isFree = (before: string): boolean => /(?:^|[^\p{L}\p{N}])(?:iban)?$/iu.test(before);

/** Modulo 97 check: with the first four characters moved to the end and letters as numbers from 10 on, the remainder must be 1. */
export function isChecked(iban: string): boolean {
  let left = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    left = (left * (value > 9 ? 100 : 10) + value) % 97;
  }
  return left === 1;
}
