// What is typed for the parameters of a statement, and what can be chosen for them.
import type { Account } from '#api/contract/accounts.ts';
import type { ParameterValues } from '#api/contract/sql.ts';
import { kindOf, parametersIn, type ParameterKind } from '#dashboards/queries/parameters.ts';

/** As typed, by name; null: without a value. What is not here has not been filled in. */
export type TypedValues = Readonly<Record<string, string | null>>;

/** What can be chosen: a value and its name. */
export function choicesOf(kind: ParameterKind, account: Account | null): [value: string, name: string][] {
  if (kind === 'group') return (account?.groups ?? []).map(({ id, name }) => [String(id), name]);
  if (kind === 'agent') return (account?.agents ?? []).map(({ login, name }) => [login, name]);
  if (kind === 'tag') return (account?.tags ?? []).map((tag) => [tag, tag]);
  return [];
}

/** The name of a group, agent or tag. */
export const nameIn = (account: Account | null, kind: ParameterKind, value: string): string | undefined =>
  choicesOf(kind, account).find(([id]) => id === value)?.[1];

/** Values for the API; what is not filled in is left out, and named by the refusal. */
export function valuesFor(statement: string, typed: TypedValues): ParameterValues {
  const filled = parametersIn(statement).flatMap((name): [string, ParameterValues[string]][] => {
    const text = typed[name];
    if (text === undefined) return [];
    if (text === null) return [[name, null]];
    const kind = kindOf(name, statement);
    if (text.trim() === '' && kind !== 'text') return [];
    const isNumber = (kind === 'number' || kind === 'group') && Number.isFinite(Number(text));
    return [[name, isNumber ? Number(text) : text]];
  });
  return Object.fromEntries(filled);
}

/** Saved values, as they are typed. */
export const typedOf = (values: ParameterValues): TypedValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : String(value)]));
