// The redaction rules: built-in ones, and patterns of the owner.
import { hash } from 'node:crypto';
import { placesOfAddresses, type TextSpan } from '../erased/addresses.ts';
import { placesOfCards } from './cards.ts';
import { placesOfIbans } from './ibans.ts';
import type { Pattern } from './patterns.ts';

export const knownRules = ['cards', 'emails', 'ibans'] as const;
export type KnownRule = (typeof knownRules)[number];

export interface Rules {
  known: readonly KnownRule[];
  patterns: readonly Pattern[];
}

export const noRules: Rules = { known: [], patterns: [] };

/** A rule by its name. */
export interface RedactionRule {
  name: string;
  /** What a text must contain for the rule to apply; checking it first avoids most of the cost. */
  needs?: { digits?: number; at_sign?: boolean; country_and_digits?: boolean };
  places(text: string): TextSpan[];
}

/**
 * Searches each address and the text between addresses on its own: a number does not run on into an address, so what is found elsewhere
 * stays the same when an address is erased.
 */
const besideAddresses =
  (placesIn: (text: string) => TextSpan[]) =>
  (text: string): TextSpan[] => {
    const addresses = placesOfAddresses(text);
    if (addresses.length === 0) return placesIn(text);
    const edges = [0, ...addresses.flatMap(({ start, end }) => [start, end]), text.length];
    return edges.slice(1).flatMap((end, part) => {
      const from = edges[part] ?? 0;
      return placesIn(text.slice(from, end)).map((place) => ({ start: from + place.start, end: from + place.end }));
    });
  };

const known: Readonly<Record<KnownRule, Omit<RedactionRule, 'name'>>> = {
  cards: { needs: { digits: 13 }, places: besideAddresses(placesOfCards) },
  emails: { needs: { at_sign: true }, places: placesOfAddresses },
  ibans: { needs: { country_and_digits: true }, places: besideAddresses(placesOfIbans) },
};

export const rulesIn = ({ known: names, patterns }: Rules): RedactionRule[] => [
  ...knownRules.filter((name) => names.includes(name)).map((name) => ({ name, ...known[name] })),
  ...patterns,
];

/** Changes when the built-in rules find other places: texts decoded before then count as decoded under other rules. */
const version = 2;

/** Says under which rules a text was decoded; null: under none. What patterns are called makes no difference. */
export function fingerprintOf({ known: names, patterns }: Rules): string | null {
  if (names.length + patterns.length === 0) return null;
  const expressions = patterns.map(({ expression }) => expression).sort();
  return hash(
    'sha256',
    JSON.stringify([version, [...new Set(names)].sort(), [...new Set(expressions)]]),
    'base64url',
  ).slice(0, 16);
}
