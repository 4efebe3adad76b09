// Converts observed and declared variables to rows of a form, and back.
import type { SeenVariable, Variable } from '#api/contract/variables.ts';

export interface VariableRow {
  source: Variable['source'];
  name: string;
  isUsed: boolean;
  title: string;
  /** Its name in questions; empty: derived from the title. */
  id: string;
  /** Nothing where no chat has it any more. */
  seen: SeenVariable | undefined;
}

const keyOf = ({ source, name }: Pick<VariableRow, 'source' | 'name'>): string => JSON.stringify([source, name]);

const LONGEST_TITLE = 60;
/** A name of a variable or a question as a title: without its colon at the end. */
const titled = (name: string): string => {
  const words = name.replaceAll(/[_\s]+/g, ' ').trim();
  const plain = (words.replace(/[:?]+$/, '').trim() || words).slice(0, LONGEST_TITLE).toWellFormed();
  return plain.charAt(0).toLocaleUpperCase() + plain.slice(1);
};

/** Declared ones first, in their order. */
export function rowsOf(declared: readonly Variable[], seen: readonly SeenVariable[]): VariableRow[] {
  const byKey = new Map(seen.map((each) => [keyOf(each), each]));
  const used = new Set(declared.map(keyOf));
  return [
    ...declared.map((each): VariableRow => ({ ...each, isUsed: true, seen: byKey.get(keyOf(each)) })),
    ...seen
      .filter((each) => !used.has(keyOf(each)))
      .map((each): VariableRow => ({
        ...{ source: each.source, name: each.name, isUsed: false, title: titled(each.name), id: '', seen: each },
      })),
  ];
}

/** Lowercase letters, digits and underscores, starting with a letter, and unique. */
export function idFor(title: string, taken: ReadonlySet<string>): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 24);
  const begin = plain || 'variable';
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? begin : `${begin}_${count}`;
    if (!taken.has(id)) return id;
  }
}

/** The request body. */
export function declaredIn(rows: readonly VariableRow[]): Variable[] {
  const used = rows.filter(({ isUsed }) => isUsed);
  const taken = new Set(used.map(({ id }) => id).filter(Boolean));
  return used.map(({ id: own, title, source, name }) => {
    const id = own || idFor(title, taken);
    taken.add(id);
    return { id, title: title.trim(), source, name };
  });
}
