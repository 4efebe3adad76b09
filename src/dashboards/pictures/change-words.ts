// What changed most, in a sentence: the change of the whole, whether it may be chance, and the parts that changed clearly.
import { signed } from '../numbers.ts';
import type { Measure, Unit } from '../panel.ts';
import { words } from '../words.ts';
import type { List } from './changes.ts';
import { capital } from './telling.ts';

const phrases = {
  rateAndMix: (rate: string, mix: string, overlap: string) =>
    `${rate} within groups, ${mix} because other groups had more of it${overlap && `, ${overlap} overlap`}.`,
  changedClearly: 'Changed clearly:',
  mostOf: 'Most of it:',
  mostBy: (split: string, name: string, change: string) => `${split} ${name} ${change}`,
};

/** Of each list the largest part beyond chance: of a clear change one in its direction, else any. Empty where none is. */
export function largestIn(lists: readonly List[], unit: Unit, locale: string): string {
  const whole = lists[0]?.division.change ?? 0;
  const isClear = !isUnclear(lists);
  const found = lists.flatMap(({ split, bars }) => {
    const bar = bars.find((it) => it.part && !it.isByChance && (!isClear || Math.sign(it.change) === Math.sign(whole)));
    return bar ? [{ split, ...bar }] : [];
  });
  if (found.length === 0) return '';
  const isMost = isClear && found.every(({ change }) => Math.abs(change) * 2 >= Math.abs(whole));
  const told = found.map(({ split, name, change }) =>
    phrases.mostBy(words.splits[split] ?? split, name, signed(change, unit, locale)),
  );
  return `${isMost ? phrases.mostOf : phrases.changedClearly} ${told.join('; ')}.`;
}

const isUnclear = (lists: readonly List[]): boolean => lists[0]?.bars[0]?.isByChance === true;

/** The change of the whole, its parts beyond chance, and for a clear change of a mean what its groups and their shares brought. */
export function summary(lists: readonly List[], { label }: Measure, unit: Unit, than: string, locale: string): string {
  const change = signed(lists[0]?.division.change ?? 0, unit, locale);
  const told = isUnclear(lists) ? words.noClearChange(change) : change;
  const groups = lists.find(({ split }) => split === 'group')?.division;
  const rates = groups?.parts.map(({ rate }) => rate ?? null).filter((rate) => rate !== null) ?? [];
  const sentences = [words.changed(capital(label), told, than), largestIn(lists, unit, locale)];
  if (groups && rates.length > 1 && !isUnclear(lists)) {
    const rate = rates.reduce((sum, value) => sum + value, 0);
    const [own, mix, left] = [rate, groups.change - groups.left - rate, groups.left].map((it) =>
      signed(it, unit, locale),
    );
    sentences.push(phrases.rateAndMix(own ?? '', mix ?? '', left === words.noChange ? '' : (left ?? '')));
  }
  return sentences.filter(Boolean).join(' ');
}
