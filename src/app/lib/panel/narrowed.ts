// The active filters of a page in words: "Group: Sales", "Plan: pro, team".
import type { Account } from '#api/contract/accounts.ts';
import type { Filters } from '#lib/filters.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { namesOf } from './names.ts';
import { words } from '#lib/words.ts';

/** One text for each kind of filter, and for each variable. */
export function narrowedTexts(
  filters: Pick<Filters, 'group' | 'agent' | 'tag' | 'variable'>,
  account: Account,
): string[] {
  const names = namesOf(account);
  const named = (['group', 'agent', 'tag'] as const).flatMap((kind) =>
    filters[kind].length
      ? [words.filters.one(words.filters[kind], filters[kind].map((it) => names[kind]?.[it] ?? it).join(', '))]
      : [],
  );
  const byVariable = Map.groupBy(
    filters.variable.flatMap((text) => chosenOf(text) ?? []),
    ({ variable }) => variable,
  );
  const valued = [...byVariable].map(([id, chosen]) =>
    words.filters.one(names['variable']?.[id] ?? id, chosen.map(({ value }) => value).join(', ')),
  );
  return [...named, ...valued];
}
