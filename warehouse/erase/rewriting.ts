// What erasing changes in the rows of a table: for each column the value that takes its place.
import type { Dialect } from '../dialect.ts';
import { tables, type Column } from '../tables/tables.ts';
import { changedDays, changedHashes, nameIn } from './changed.ts';
import { ofSelection, type Loss, type ErasedId } from './selection.ts';

/** The changes, the same for every file. */
export interface Rewriting {
  losses: readonly Loss[];
  /** Pseudonyms for the ids of erased visitors. */
  visitors: readonly (ErasedId & { pseudonym: string })[];
  /** Placeholder for a name. */
  name: string;
  /** Replaces each character of a text. */
  dot: string;
  /** A file with the tables of changed.ts, where hashes of records and days are too many for a statement. */
  changed: string | null;
  /** New hashes of changed records, by old hash. */
  hashes: ReadonlyMap<string, string>;
  /** Hashes of the days that list them. */
  days: ReadonlyMap<string, string>;
  /** New versions of quarantined records, and of other people's personal texts that name an erased person. */
  texts: ReadonlyMap<string, string>;
}

interface Changes {
  /** By column: an expression. Columns that stay are not in it. */
  values: ReadonlyMap<string, string>;
  /** Condition on the rows that may change. */
  where: string;
}

interface Of {
  schema: string;
  name: string;
  columns: readonly string[];
}

/** Nothing when no row of the table can change. `changed`: the name under which that file is open. */
export function changesOf(table: Of, rewriting: Rewriting, dialect: Dialect, changed: string): Changes | undefined {
  const declared = tables.find(({ schema, name }) => schema === table.schema && name === table.name)?.columns ?? {};
  const losses = rewriting.losses.map(({ of, tells }) => ({ tells, own: ofSelection(dialect, of, table.columns) }));
  const values = new Map<string, string>();
  const where = new Set<string>();
  for (const column of table.columns) {
    const of = declared[column];
    const texts = mapOf(table, column, of, rewriting);
    let value = `"${column}"`;
    if (texts.size > 0) {
      value = mapped(dialect, column, texts);
      where.add(`"${column}" in (${[...texts.keys()].map((text) => dialect.literal(text, 'text')).join(', ')})`);
    }
    const all = losses.map(({ own }) => own).filter((own) => own !== '');
    const named = rewriting.changed === null ? undefined : renamed(dialect, table, column, all, changed);
    if (named) {
      value = named.value;
      where.add(named.where);
    }
    const own = losses.filter(({ own, tells }) => own !== '' && of && goesWith(of, tells)).map((each) => each.own);
    const left = own.length > 0 && of ? inPlace(dialect, column, of, rewriting) : undefined;
    if (left !== undefined) {
      value = `case when ${own.join(' or ')} then ${left} else ${value} end`;
      for (const each of own) where.add(each);
    }
    if (value !== `"${column}"`) values.set(column, value);
  }
  return values.size === 0 ? undefined : { values, where: `(${[...where].join(' or ')})` };
}

/** What tells both goes with either. */
export const goesWith = ({ personal, erased, tells = 'names' }: Column, goes: Loss['tells']): boolean =>
  (personal === true || erased !== undefined) && (tells === 'both' || goes.has(tells));

/** For hash columns: the new value, and which rows may hold one. Undefined for other columns. */
function renamed(
  dialect: Dialect,
  { schema, name }: Of,
  column: string,
  own: readonly string[],
  changed: string,
): { value: string; where: string } | undefined {
  const place = `${schema}.${name}.${column}`;
  const isDay = place === 'ledger.periods.hash';
  const after = `(select min(c.after) from ${nameIn(changed, isDay ? changedDays : changedHashes)} as c where c.before = "${column}")`;
  if (column === 'content_hash' && own.length > 0) {
    // A version that the raw archive does not have any more: what names it must say nothing of it either.
    const where = `(${own.join(' or ')})`;
    const value = `case when ${where} and "${column}" is not null then coalesce(${after}, ${dialect.digest(`"${column}"`)}) else "${column}" end`;
    return { value, where };
  }
  if (!isDay && place !== 'ledger.quarantine.record_id') return undefined;
  return { value: `coalesce(${after}, "${column}")`, where: `${after} is not null` };
}

const none: ReadonlyMap<string, string> = new Map();

/** Values of the column to replace, in any row. */
function mapOf(
  { schema, name }: Of,
  column: string,
  of: Column | undefined,
  rewriting: Rewriting,
): ReadonlyMap<string, string> {
  if (column === 'content_hash') return rewriting.hashes;
  const place = `${schema}.${name}.${column}`;
  if (place === 'ledger.quarantine.record_id') return rewriting.hashes;
  if (place === 'ledger.periods.hash') return rewriting.days;
  return of?.personal && of.type === 'text' ? rewriting.texts : none;
}

const mapped = ({ literal }: Dialect, column: string, texts: ReadonlyMap<string, string>): string =>
  `case "${column}" ${[...texts].map(([from, to]) => `when ${literal(from, 'text')} then ${literal(to, 'text')}`).join(' ')} else "${column}" end`;

/** The new value of a column for a chat that loses it; undefined if it stays. */
function inPlace(dialect: Dialect, column: string, of: Column, { visitors, name, dot }: Rewriting): string | undefined {
  const named = `case when "${column}" = '' then '' when "${column}" is not null then ${dialect.literal(name, 'text')} end`;
  switch (of.erased) {
    case 'pseudonym': {
      const each = visitors.map(
        ({ account, id, pseudonym }) =>
          `when account = ${dialect.literal(account, 'text')} and "${column}" = ${dialect.literal(id, 'text')} then ${dialect.literal(pseudonym, 'text')}`,
      );
      return each.length === 0 ? undefined : `case ${each.join(' ')} else "${column}" end`;
    }
    case 'name':
      return named;
    case 'visitors_name':
      return `case when user_type = 'visitor' then ${named} else "${column}" end`;
    case 'dots':
      return dialect.filled(dot, `"${column}"`);
    default:
      return dialect.literal(of.nullable ? null : '', of.type);
  }
}

/** The columns of a select that returns the changed rows. */
export const selected = (columns: readonly string[], changes: Changes | undefined): string =>
  columns
    .map((column) => {
      const value = changes?.values.get(column);
      return value === undefined ? `"${column}"` : `${value} as "${column}"`;
    })
    .join(', ');
