// One line below a saved query: which of the values that it was run with are the page's or the document's, and which its own.
import { dayName } from '../periods.ts';
import type { PagePart, UsedValues } from './page-values.ts';
import type { ParameterKind } from './parameters.ts';

const parts: Record<PagePart | 'variable', string> = {
  ...{ range: 'range', first: 'first day', last: 'last day', day: 'day' },
  ...{ group: 'group', agent: 'agent', tag: 'tag', variable: 'variables' },
};
const things = { group: 'groups', agent: 'agents', tag: 'tags', date: 'days', number: '', text: '' };
/** Longer texts are cut. */
const most_characters = 40;

const date = /^\d{4}-\d\d-\d\d$/;
const isDate = (text: string): boolean => date.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const listed = new Intl.ListFormat('en-GB');
const begun = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type OwnValue = UsedValues['own'][number];

interface ToldOf {
  /** Whose values they are otherwise. */
  of: 'page' | 'document';
  locale: string;
  /** Of a group by id or an agent by login; undefined: it is named as it is. */
  nameOf: (kind: ParameterKind, value: string) => string | undefined;
}

function valueIn({ kind, value }: OwnValue, { nameOf, locale }: ToldOf): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'no value';
  const text = String(value);
  const name = nameOf(kind, text) ?? text;
  if (kind === 'date' && isDate(text)) return dayName(text, locale, true);
  return name.length > most_characters ? `${name.slice(0, most_characters)}…` : name;
}

/** “Range of this page. Its own group: Sales (it takes one, and 2 groups are chosen). Not narrowed by tag.” */
export function usedText({ ofPage, own, unreached }: UsedValues, told: ToldOf): string {
  if (ofPage.length === 0 && own.length === 0)
    return told.of === 'page'
      ? 'No filter of this page reaches it.'
      : 'Neither the period nor the filters of this document apply to it.';
  const named = (part: keyof typeof parts): string =>
    part === 'range' && told.of === 'document' ? 'period' : parts[part];
  const ownTexts = own.map((one) => {
    const name = one.kind === 'group' || one.kind === 'agent' || one.kind === 'tag' ? one.kind : one.name;
    const why = one.chosen > 1 ? ` (it takes one, and ${one.chosen} ${things[one.kind]} are chosen)` : '';
    return `${name}: ${valueIn(one, told)}${why}`;
  });
  return [
    ...(ofPage.length > 0 ? [`${begun(listed.format(ofPage.map(named)))} of this ${told.of}.`] : []),
    ...(own.length > 0 ? [`Its own ${ownTexts.join(', ')}.`] : []),
    ...(unreached.length > 0 ? [`Not narrowed by ${listed.format(unreached.map(named))}.`] : []),
  ].join(' ');
}
