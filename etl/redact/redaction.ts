// Redaction: replaces what the rules find in a written text with dots before it becomes a fact. The raw archive keeps the original.
import { placesOfAddresses, type TextSpan } from '../erased/addresses.ts';
import { dottedWords, erasedName } from '../erased/dots.ts';
import { asRead, first_odd, isOdd } from './normalize.ts';
import { fingerprintOf, rulesIn, type RedactionRule, type Rules } from './rules.ts';

export interface Redaction {
  /** Null: nothing is redacted. */
  readonly fingerprint: string | null;
  /** As long as it was, in as many words. */
  text(text: string): string;
}

export const noRedaction: Redaction = { fingerprint: null, text: (text) => text };

/** A match of a rule in a text. */
export interface RedactionMatch extends TextSpan {
  rule: string;
}

/** Where one thing that is taken out lets another rule find something; patterns could go on like that for long. */
const most_rounds = 8;

export function redactionBy(rules: Rules): Redaction {
  const fingerprint = fingerprintOf(rules);
  if (fingerprint === null) return noRedaction;
  const all = rulesIn(rules);
  const isAnythingPossible = all.some(({ needs }) => needs === undefined);
  return {
    fingerprint,
    text(text) {
      let left = text;
      for (let round = 0; round < most_rounds; round += 1) {
        if (!isAnythingPossible && !mayHold.test(left)) break;
        const before = left;
        left = without(before, placesIn(all, before));
        if (left === before) break;
      }
      return left;
    },
  };
}

/** Nine texts out of ten have nothing in them that a rule of this program needs. */
const mayHold = /[0-9@%&\u00ad\u0660-\u200f\u202a-\uffff]/;

/** Matches of all rules, unsorted. The placeholder name of an erased person is not a text. */
export function placesIn(rules: readonly RedactionRule[], text: string): RedactionMatch[] {
  if (text === '' || text === erasedName) return [];
  const seen = seenIn(text);
  const asStored = foundBy(rules, text, seen);
  if (!seen.is_odd) return asStored;
  const read = asRead(text);
  if (read.text === text) return asStored;
  const found = foundBy(rules, read.text, seenIn(read.text)).map((each) => ({ ...each, ...read.stored(each) }));
  // An apparent escape may not be one, so the stored text is searched too.
  return [...found, ...asStored.filter((each) => !found.some((other) => isWithin(each, other)))];
}

const isWithin = (one: RedactionMatch, other: RedactionMatch): boolean =>
  one.rule === other.rule && one.start >= other.start && one.end <= other.end;

interface Seen {
  digits: number;
  has_at_sign: boolean;
  /** Two letters followed by two digits. */
  has_country_and_digits: boolean;
  /** The text may read differently from how it is stored. */
  is_odd: boolean;
}

const [at_sign, percent, ampersand] = [64, 37, 38];

function seenIn(text: string): Seen {
  let digits = 0;
  let has_at_sign = false;
  let has_country_and_digits = false;
  let is_odd = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits += 1;
      has_country_and_digits ||=
        isDigit(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at - 2)) && isLetter(text.charCodeAt(at - 3));
    } else if (code === at_sign) has_at_sign = true;
    else if (code === percent || code === ampersand || (code >= first_odd && isOdd(code))) is_odd = true;
  }
  return { digits, has_at_sign, has_country_and_digits, is_odd };
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

const has = (seen: Seen, { digits = 0, at_sign, country_and_digits }: NonNullable<RedactionRule['needs']>): boolean =>
  seen.digits >= digits && (!at_sign || seen.has_at_sign) && (!country_and_digits || seen.has_country_and_digits);

function foundBy(rules: readonly RedactionRule[], text: string, seen: Seen): RedactionMatch[] {
  const found: RedactionMatch[] = [];
  for (const { name: rule, needs, places } of rules) {
    if (needs && !has(seen, needs)) continue;
    for (const place of places(text)) found.push({ ...place, rule });
  }
  return found;
}

/** An address is redacted as a whole if any part matches: the rest could not be erased later. */
export function without(text: string, found: readonly TextSpan[]): string {
  if (found.length === 0) return text;
  const touched = addressesAt(text, found);
  let left = '';
  let from = 0;
  for (const { start, end } of [...found, ...touched].sort((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    left += text.slice(from, begin) + dottedWords(text.slice(begin, end));
    from = end;
  }
  return left + text.slice(from);
}

/** Most matches are a single address. */
function addressesAt(text: string, found: readonly TextSpan[]): TextSpan[] {
  const addresses = placesOfAddresses(text);
  const [first] = found;
  if (first && found.length === 1 && addresses.every(({ start, end }) => start === first.start && end === first.end))
    return [];
  return addresses.filter((address) => found.some(({ start, end }) => start < address.end && end > address.start));
}
