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

const known: Readonly<Record<KnownRule, Omit<RedactionRule, 'name'>>> = {
  cards: { needs: { digits: 13 }, places: placesOfCards },
  emails: { needs: { at_sign: true }, places: placesOfAddresses },
  ibans: { needs: { country_and_digits: true }, places: placesOfIbans },
};

export const rulesIn = ({ known: names, patterns }: Rules): RedactionRule[] => [
  ...knownRules.filter((name) => names.includes(name)).map((name) => ({ name, ...known[name] })),
  ...patterns,
];

/** Changes when the built-in rules find other places: texts decoded before then count as decoded under other rules. */
const version = 1;

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
