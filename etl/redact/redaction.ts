// Redaction: what the rules find in a text that somebody wrote becomes dots before it is a fact. The raw archive keeps it.
import { placesOfAddresses, type Place } from '../erased/addresses.ts';
import { dottedWords, erasedName } from '../erased/dots.ts';
import { asRead, first_odd, isOdd } from './as-read.ts';
import { fingerprintOf, rulesIn, type Rule, type Rules } from './rules.ts';

export interface Redaction {
  /** Null: nothing is redacted. */
  readonly fingerprint: string | null;
  /** As long as it was, in as many words. */
  text(text: string): string;
}

export const noRedaction: Redaction = { fingerprint: null, text: (text) => text };

/** What a rule finds in a text. */
export interface Found extends Place {
  rule: string;
}

/** Where one thing that is taken out lets another rule find something; patterns could go on like that for long. */
const most_rounds = 8;

export function redactionBy(rules: Rules): Redaction {
  const fingerprint = fingerprintOf(rules);
  if (fingerprint === null) return noRedaction;
  const all = rulesIn(rules);
  return {
    fingerprint,
    text(text) {
      let left = text;
      for (let round = 0; round < most_rounds; round += 1) {
        const before = left;
        left = without(before, placesIn(all, before));
        if (left === before) break;
      }
      return left;
    },
  };
}

/** By rule, in no order. What stands for the name of somebody erased is no text. */
export function placesIn(rules: readonly Rule[], text: string): Found[] {
  if (text === '' || text === erasedName) return [];
  const seen = seenIn(text);
  if (!seen.is_odd) return foundBy(rules, text, seen);
  const read = asRead(text);
  return foundBy(rules, read.text, seenIn(read.text)).map((found) => ({ ...found, ...read.stored(found) }));
}

interface Seen {
  digits: number;
  has_at_sign: boolean;
  /** It may be read otherwise than it is stored. */
  is_odd: boolean;
}

const [zero, nine, at_sign, percent, ampersand] = [48, 57, 64, 37, 38];

/** A loop: it is run over all that was ever written, and several times faster than any expression. */
function seenIn(text: string): Seen {
  let digits = 0;
  let has_at_sign = false;
  let is_odd = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) digits += 1;
    else if (code === at_sign) has_at_sign = true;
    else if (code === percent || code === ampersand || (code >= first_odd && isOdd(code))) is_odd = true;
  }
  return { digits, has_at_sign, is_odd };
}

function foundBy(rules: readonly Rule[], text: string, { digits, has_at_sign }: Seen): Found[] {
  const found: Found[] = [];
  for (const { name: rule, needs, places } of rules) {
    if (digits < (needs?.digits ?? 0) || (needs?.at_sign && !has_at_sign)) continue;
    for (const place of places(text)) found.push({ ...place, rule });
  }
  return found;
}

/** An address of which a part is found goes as a whole: what is left of it could not be erased. */
export function without(text: string, found: readonly Place[]): string {
  if (found.length === 0) return text;
  const touched = placesOfAddresses(text).filter((address) =>
    found.some(({ start, end }) => start < address.end && end > address.start),
  );
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
