// Why the number of chats changed: the parts by group, agent or tag, which together are the whole change, to the chat.
import type { NamesBySplit } from '#dashboards/names.ts';
import type { BySplit } from './words.ts';
import { numberOf, figure, type Answer, type AnswerRow } from '#dashboards/answer.ts';
import { divideSum } from '#dashboards/changes.ts';
import { signed as signedAs } from '#dashboards/numbers.ts';
import { words as told } from '#dashboards/words.ts';
import { chatsByTag, everyChat } from '#warehouse/definitions/metrics.ts';
import type { DigestQuestions } from './digest-questions.ts';

const bySplits = ['group', 'agent', 'tag'] as const satisfies readonly BySplit[];

interface ChangeLine {
  name: string;
  /** Chats more than before; negative: fewer. */
  change: number;
}

/** Parts of one change: the `listed` ones, the others combined, and whatever counts in several of them or in none. */
export interface Contributions {
  by: BySplit;
  listed: ChangeLine[];
  /** How many parts are combined in `rest`. */
  others: number;
  rest: number;
  /** The whole change minus all parts: chats that have several or none of them. */
  overlap: number;
}

export interface Change {
  is: number;
  was: number;
  contributions: Contributions[];
}

const most_listed = 3;

/** Lists the largest parts; listed, rest and overlap add up to the whole change. */
export function contributionsOf(
  by: BySplit,
  now: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  whole: { is: number; was: number },
  nameOf: (key: string) => string,
): Contributions {
  const keys = [...new Set([...now.keys(), ...before.keys()])];
  const pair = (is: number, was: number) => ({
    now: { value: is, weight: null },
    before: { value: was, weight: null },
  });
  const parts = keys.map((key) => ({ key, ...pair(now.get(key) ?? 0, before.get(key) ?? 0) }));
  const division = divideSum(pair(whole.is, whole.was), parts);
  const changed = (division?.parts ?? []).filter((part) => part.change !== 0);
  const [listed, rest] = [changed.slice(0, most_listed), changed.slice(most_listed)];
  return {
    by,
    listed: listed.map(({ key, change }) => ({ name: nameOf(key), change })),
    others: rest.length,
    rest: rest.reduce((sum, { change }) => sum + change, 0),
    overlap: division?.left ?? 0,
  };
}

const chatsIn = (rows: readonly AnswerRow[], split: string): Map<string, number> =>
  new Map(rows.map((row) => [row[split] == null ? '' : String(row[split]), Number(row['chats'] ?? 0)]));

const total = (answer: Pick<Answer, 'rows'>): number | null => numberOf(figure({}, answer.rows[0], 'chats'));

/** Nothing where one of the two periods is not known. */
export async function changeOf(asking: DigestQuestions, names: NamesBySplit): Promise<Change | undefined> {
  const whole = await asking.ask({ metric: everyChat.id, grain: 'total', compare: true });
  if (whole.kind === 'refused' || !whole.answer.compare) return undefined;
  const { compare } = whole.answer;
  const [is, was] = [total(whole.answer), total(compare)];
  if (is === null || was === null) return undefined;
  const contributions: Contributions[] = [];
  for (const by of bySplits) {
    // Who brought most of a change is a ranking, and parts that are not told would not add up.
    if (by === 'agent' && asking.context.reader.rows?.agents_from !== undefined) continue;
    const parts = await asking.ask({
      metric: (by === 'tag' ? chatsByTag : everyChat).id,
      split: [by],
      grain: 'total',
      compare: true,
    });
    if (parts.kind === 'refused' || !parts.answer.compare) continue;
    const nameOf = (key: string): string => (key === '' ? told.untagged : (names[by]?.[key] ?? key));
    const [now, before] = [chatsIn(parts.answer.rows, by), chatsIn(parts.answer.compare.rows, by)];
    contributions.push(contributionsOf(by, now, before, { is, was }, nameOf));
  }
  return { is, was, contributions };
}

/** `+12`, `−3`, with a real minus sign. */
export const signed = (chats: number, locale: string): string => signedAs(chats, 'count', locale);
