// Finds payment card numbers: 13 to 19 digits, grouped or not, with a valid Luhn check digit (ISO/IEC 7812). Pure.
import type { TextSpan } from '../erased/addresses.ts';
import { most_separators, separator } from './separators.ts';

const [fewest, most] = [13, 19];
const runs = new RegExp(`[0-9]+(?:[${separator}]{1,${most_separators}}[0-9]+)*`, 'gu');
const groups = /[0-9]+/g;

/** Whole groups of digits only: a card number is not part of a longer number. */
export function placesOfCards(text: string): TextSpan[] {
  const places: TextSpan[] = [];
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length < fewest) continue;
    const found = [...run.matchAll(groups)].map(({ 0: digits, index: at }) => ({ digits, start: index + at }));
    for (const [first, { start }] of found.entries()) {
      let number = '';
      for (let last = first; last < found.length; last += 1) {
        const { digits, start: from } = found[last] ?? { digits: '', start };
        number += digits;
        if (number.length > most) break;
        if (number.length >= fewest && isLuhn(number)) places.push({ start, end: from + digits.length });
      }
    }
  }
  return places;
}

/** From the right, every second digit is doubled and replaced by its digit sum; the total must end with 0. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDouble = false; at >= 0; at -= 1, isDouble = !isDouble) {
    const digit = digits.charCodeAt(at) - 48;
    sum += isDouble ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit;
  }
  return sum % 10 === 0;
}
