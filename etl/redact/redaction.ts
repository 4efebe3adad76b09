// Redaction: what the rules find in a text that somebody wrote becomes dots before it is a fact. The raw archive keeps it.
import { placesOfAddresses, type Place } from '../erased/addresses.ts';
import { dottedWords, erasedName } from '../erased/dots.ts';
import { asRead } from './as-read.ts';
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
  const read = asRead(text);
  return rules.flatMap(({ name: rule, places }) => places(read.text).map((place) => ({ ...read.stored(place), rule })));
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
