// Which rules of redaction there are: those that this program knows, and patterns of the owner.
import { hash } from 'node:crypto';
import { placesOfAddresses, type Place } from '../erased/addresses.ts';
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
export interface Rule {
  name: string;
  places(text: string): Place[];
}

const hasDigits = /[0-9](?:[^0-9]*[0-9]){12}/u;
const ifDigits =
  (places: Rule['places']): Rule['places'] =>
  (text) =>
    text.length > 12 && hasDigits.test(text) ? places(text) : [];

const known: Readonly<Record<KnownRule, Rule['places']>> = {
  cards: ifDigits(placesOfCards),
  emails: placesOfAddresses,
  ibans: (text) => (text.length > 14 ? placesOfIbans(text) : []),
};

export const rulesIn = ({ known: names, patterns }: Rules): Rule[] => [
  ...knownRules.filter((name) => names.includes(name)).map((name) => ({ name, places: known[name] })),
  ...patterns,
];

/** Changes with what the rules of this program find: texts that were decoded before are then named as decoded under other rules. */
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
