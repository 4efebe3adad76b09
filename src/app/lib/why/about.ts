// Describes the subject of a "Why?" in words: the number's name, period, place and time zone.
import type { NamesBySplit } from '#dashboards/names.ts';
import { dayName, periodName } from '#dashboards/periods.ts';
import { placesOf } from '#lib/drill/places.ts';
import { receiptWords } from '#lib/drill/words.ts';
import type { WhyRefusal, Why } from './read.ts';
import { whyWords } from './words.ts';

export function aboutOf(
  why: Why | WhyRefusal,
  names: NamesBySplit,
  locale: string,
): { title: string; where: string; timezone?: string } {
  if ('refused' in why) return { title: whyWords.title, where: '' };
  const { receipt } = why;
  const { period, from, to, timezone } = receipt;
  const when = period
    ? periodName(period, locale)
    : receiptWords.wholeRange(dayName(from, locale, true), dayName(to, locale, true));
  return {
    title: receiptWords.title(receipt.title, receipt.measure_title),
    where: [when, ...placesOf(receipt, names, locale), timezone].join(' · '),
    timezone,
  };
}
