// A phrase of the palette in its parts: days, groups, an agent, values of variables, by what, as which file, and the words that are left
// for a place.
import { presets, type DateRange } from '#dashboards/ranges.ts';
import { splitNames, type SplitName } from '#dashboards/splits.ts';
import { splitByVariable } from '#dashboards/variables.ts';
import { daysTyped } from './palette-dates.ts';

interface Named {
  id: string;
  name: string;
}

/** A declared variable, with the values that chats have. */
interface NamedVariable {
  id: string;
  title: string;
  values: readonly string[];
}

/** Names that can be mentioned, and expressions for days. */
interface PhraseVocabulary {
  presets: Readonly<Record<(typeof presets)[number], string>>;
  groups: readonly Named[];
  agents: readonly Named[];
  variables: readonly NamedVariable[];
  today: string;
  locale: string;
}

export interface Phrase {
  days?: { name: string; query: Record<string, string> };
  groups: Named[];
  agents: Named[];
  /** Values of variables, each named "Plan: pro". */
  chosen: (Named & { value: string })[];
  grain?: 'hour' | 'day' | 'week' | 'month';
  split?: { by: SplitName; name: string };
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

/** `where plan is pro`, `plan: pro`, `plan=pro`, or `plan pro`. */
function takeValue(words: string[], variables: readonly NamedVariable[]): Taken<Phrase['chosen'][number]> {
  for (const { id, title, values } of variables)
    for (const value of values.toSorted((one, other) => other.length - one.length))
      for (const name of new Set([title, id]))
        for (const said of [`${name} is ${value}`, `${name} = ${value}`, `${name}: ${value}`, `${name} ${value}`])
          for (const text of [`where ${said}`, `with ${said}`, `and ${said}`, said]) {
            const left =
              without(words, wordsOf(text)) ?? without(words, wordsOf(text.replace(/(?<=[:=]) | (?=[:=])/g, '')));
            if (left) return { part: { id, value, name: `${title}: ${value}` }, left };
          }
  return undefined;
}

/** `by plan`, after what every account has. */
function takeSplit(words: string[], variables: readonly NamedVariable[]): Taken<NonNullable<Phrase['split']>> {
  const named = variables
    .flatMap(({ id, title }) => [title, id].map((said) => ({ by: splitByVariable(id), name: title, said })))
    .toSorted((one, other) => other.said.length - one.said.length);
  for (const { said, ...part } of [...splitNames.map((by) => ({ by, name: by, said: by })), ...named]) {
    const left = without(words, wordsOf(`by ${said}`));
    if (left) return { part, left };
  }
  return undefined;
}

/**
 * The phrases that a text may be, each with at least one recognized part and something besides: where a group has the name of something
 * else, as Sales may, first the one in which it is the other.
 */
export function readingsOf(text: string, spoken: PhraseVocabulary): Phrase[] {
  const phrase = phraseOf(text, spoken);
  const isOther = phrase.groups.some(({ name }) => without(wordsOf(text), wordsOf(name)) !== null);
  const readings = isOther ? [phraseOf(text, { ...spoken, groups: [] }), phrase] : [phrase];
  return readings.filter(({ count, rest }) => count > 0 && count + (rest ? 1 : 0) >= 2);
}

/** Longer names match before shorter ones; unrecognized words remain. */
export function phraseOf(text: string, spoken: PhraseVocabulary): Phrase {
  let words = wordsOf(text);
  const phrase: Phrase = { groups: [], agents: [], chosen: [], rest: '', count: 0 };
  for (let it = takeValue(words, spoken.variables); it; it = takeValue(words, spoken.variables)) {
    phrase.chosen.push(it.part);
    words = it.left;
  }
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
  const split = takeSplit(words, spoken.variables);
  if (split) [phrase.split, words] = [split.part, split.left];
  const days = takeDays(words, spoken);
  if (days) [phrase.days, words] = [days.part, days.left];
  const said = words.find((word) => Object.hasOwn(files, word));
  const file = said === undefined ? undefined : files[said];
  if (file) [phrase.file, words] = [file, words.filter((word) => word !== said)];
  const { groups, agents, chosen, grain } = phrase;
  const parts = [phrase.days, grain, phrase.split, phrase.file].filter((it) => it !== undefined);
  const count = parts.length + groups.length + agents.length + chosen.length;
  return { ...phrase, rest: words.join(' '), count };
}
