// Describes the position of a cell in words: its value in each split, and the active filters.
import type { NamesBySplit } from '#dashboards/names.ts';
import { weekdayName } from '#dashboards/periods.ts';
import { chosenOf } from '#dashboards/variables.ts';
import type { Receipt } from '#api/contract/receipts.ts';

type PlacedFigure = Pick<Receipt, 'at' | 'variable' | 'filters'>;

export function placesOf({ at, variable, filters }: PlacedFigure, names: NamesBySplit, locale: string): string[] {
  const titleOf = (id: string): string => names['variable']?.[id] ?? id;
  const places = Object.entries(at).map(([split, value]) =>
    split === 'variable' && variable !== undefined
      ? value === null || value === ''
        ? `without ${titleOf(variable)}`
        : `${titleOf(variable)} ${value}`
      : placeOf(split, value, names, locale),
  );
  const { variable: valued = [], ...others } = filters;
  const narrowed = Object.entries(others).map(
    ([name, values]) => `${name} ${values.map((value) => names[name]?.[String(value)] ?? value).join(', ')}`,
  );
  const byVariable = Map.groupBy(
    valued.flatMap((text) => chosenOf(String(text)) ?? []),
    (chosen) => chosen.variable,
  );
  const narrowedTo = [...byVariable].map(
    ([id, chosen]) => `${titleOf(id)} ${chosen.map(({ value }) => value).join(', ')}`,
  );
  return [...places, ...narrowed, ...narrowedTo];
}

function placeOf(split: string, value: string | number | null, names: NamesBySplit, locale: string): string {
  if (value === null || value === '') return `without a ${split}`;
  const name = String(value);
  if (split === 'weekday') return weekdayName(name, locale);
  if (split === 'hour_of_day') return `${name}:00`;
  if (split === 'currency') return name;
  return `${split} ${names[split]?.[name] ?? name}`;
}
