// Says in words where a cell lies: its place in each split, and the filters it stands under.
import { weekdayName } from '#dashboards/periods.ts';
import type { Receipt } from '#api/contract/receipts.ts';

type Names = Record<string, Record<string, string>>;

export function placesOf({ at, filters }: Pick<Receipt, 'at' | 'filters'>, names: Names, locale: string): string[] {
  const places = Object.entries(at).map(([split, value]) => placeOf(split, value, names, locale));
  const narrowed = Object.entries(filters).map(
    ([name, values]) => `${name} ${values.map((value) => names[name]?.[String(value)] ?? value).join(', ')}`,
  );
  return [...places, ...narrowed];
}

function placeOf(split: string, value: string | number | null, names: Names, locale: string): string {
  if (value === null || value === '') return `without a ${split}`;
  const name = String(value);
  if (split === 'weekday') return weekdayName(name, locale);
  if (split === 'hour_of_day') return `${name}:00`;
  if (split === 'currency') return name;
  return `${split} ${names[split]?.[name] ?? name}`;
}
