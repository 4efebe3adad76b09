// A phrase of the palette in its parts: days, a group or an agent, by what, as which file, and the words that are left for a place.
import { presets, type DateRange } from '#dashboards/ranges.ts';
import { splitNames, type UsualSplit } from '#dashboards/splits.ts';
import { daysTyped } from './palette-dates.ts';

interface Named {
  id: string;
  name: string;
}

/** Names that can be mentioned, and expressions for days. */
interface PhraseVocabulary {
  presets: Readonly<Record<(typeof presets)[number], string>>;
  groups: readonly Named[];
  agents: readonly Named[];
  today: string;
  locale: string;
}

export interface Phrase {
  days?: { name: string; query: Record<string, string> };
  groups: Named[];
  agents: Named[];
  grain?: 'hour' | 'day' | 'week' | 'month';
  split?: UsualSplit;
  file?: 'csv' | 'xlsx' | 'pdf';
  /** What names a page, a panel or a metric. */
  rest: string;
  /** Number of recognized parts. */
  count: number;
}

const files: Readonly<Record<string, NonNullable<Phrase['file']>>> = {
  ...{ csv: 'csv', excel: 'xlsx', xlsx: 'xlsx', spreadsheet: 'xlsx', pdf: 'pdf' },
};
const grains = ['hour', 'day', 'week', 'month'] as const;

/** How people say days that have another name here. */
const alsoSaid: Readonly<Record<string, (typeof presets)[number]>> = {
  ...{ 'previous week': 'last-week', 'past week': '7d', 'week to date': 'week', 'this month': 'month' },
  ...{ 'previous month': 'last-month', 'past month': '30d', 'month so far': 'month', mtd: 'month' },
};

export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** The words without a consecutive sequence; null if it does not occur. */
function without(words: readonly string[], part: readonly string[]): string[] | null {
  if (part.length === 0) return null;
  const at = words.findIndex((_, from) => part.every((word, place) => words[from + place] === word));
  return at < 0 ? null : [...words.slice(0, at), ...words.slice(at + part.length)];
}

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[\s,]+/)
    .filter(Boolean);

type Taken<Part> = { part: Part; left: string[] } | undefined;

function takeDays(
  words: string[],
  { presets: names, today, locale }: PhraseVocabulary,
): Taken<NonNullable<Phrase['days']>> {
  const said = [...presets.map((preset) => [names[preset], preset] as const), ...Object.entries(alsoSaid)].toSorted(
    ([one], [other]) => other.length - one.length,
  );
  for (const [text, preset] of said) {
    const left = without(words, wordsOf(text));
    if (left) return { part: { name: names[preset], query: { preset } }, left };
  }
  for (const length of [3, 2, 1])
    for (let from = 0; from + length <= words.length; from++) {
      const [found]: (DateRange & { name: string })[] = daysTyped(
        words.slice(from, from + length).join(' '),
        today,
        locale,
      );
      if (!found) continue;
      const left = [...words.slice(0, from), ...words.slice(from + length)];
      return { part: { name: found.name, query: { from: found.from, to: found.to } }, left };
    }
  return undefined;
}

function takeNamed(words: string[], known: readonly Named[], kind?: string): Taken<Named> {
  for (const one of known.toSorted((it, other) => other.name.length - it.name.length)) {
    const byNumber = kind === undefined ? null : without(words, [kind, plain(one.id)]);
    const left = byNumber ?? without(words, wordsOf(one.name));
    if (left) return { part: one, left };
  }
  return undefined;
}

/** Longer names match before shorter ones; unrecognized words remain. */
export function phraseOf(text: string, spoken: PhraseVocabulary): Phrase {
  let words = wordsOf(text);
  const phrase: Phrase = { groups: [], agents: [], rest: '', count: 0 };
  for (let it = takeNamed(words, spoken.groups, 'group'); it; it = takeNamed(words, spoken.groups, 'group')) {
    phrase.groups.push(it.part);
    words = it.left;
  }
  const agent = takeNamed(words, spoken.agents);
  if (agent) {
    phrase.agents.push(agent.part);
    words = agent.left;
  }
  for (const grain of grains) {
    const left = phrase.grain ? null : without(words, ['by', grain]);
    if (left) [phrase.grain, words] = [grain, left];
  }
  for (const split of splitNames) {
    const left = phrase.split ? null : without(words, ['by', split]);
    if (left) [phrase.split, words] = [split, left];
  }
  const days = takeDays(words, spoken);
  if (days) [phrase.days, words] = [days.part, days.left];
  const said = words.find((word) => Object.hasOwn(files, word));
  const file = said === undefined ? undefined : files[said];
  if (file) [phrase.file, words] = [file, words.filter((word) => word !== said)];
  const { groups, agents, grain, split } = phrase;
  const parts = [phrase.days, grain, split, phrase.file].filter((it) => it !== undefined);
  return { ...phrase, rest: words.join(' '), count: parts.length + groups.length + agents.length };
}
