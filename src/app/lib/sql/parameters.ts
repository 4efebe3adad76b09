// The named parameters of a statement, and what is typed for each: a date, a number, a text, or a choice of the account.
import type { Account } from '#api/contract/accounts.ts';
import type { ParameterValues } from '#api/contract/sql.ts';

/** As typed, by name; null: without a value. What is not here has not been filled in. */
export type TypedValues = Readonly<Record<string, string | null>>;

export type ParameterKind = 'date' | 'number' | 'text' | 'group' | 'agent' | 'tag';

/** Comments and texts, in which `$name` is no parameter. One pass finds all of them, because each may hold what begins another. */
const skipped =
  /--[^\n\r]*|\/\*[^]*?(?:\*\/|$)|(\$(?:[\p{L}_][\p{L}\d_]*)?\$)[^]*?(?:\1|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)/gu;
const parameter = /(?<![\p{L}\d_$])\$([\p{L}_][\p{L}\d_]*)/gu;

const plain = (statement: string): string => statement.replace(skipped, ' ');

/** In the order in which they first stand in it. */
export const parametersIn = (statement: string): string[] => [
  ...new Set([...plain(statement).matchAll(parameter)].map(([, name = '']) => name)),
];

const choices: Readonly<Record<string, ParameterKind>> = {
  ...{ group: 'group', group_id: 'group', agent: 'agent', agent_id: 'agent', login: 'agent', tag: 'tag' },
};
const dates =
  /^(from|to|since|until|before|after|start|end|date|day|week|month)$|_(on|day|date|from|to|since|until|before|after)$/i;
const numbers =
  /^(n|limit|count|number|least|most|top|year)$|_(count|seconds|minutes|hours|days|id|number)$|^(min|max)(_|$)/i;

/** By the type that is written behind it (`$n::int`), or else by its name. */
export function kindOf(name: string, statement: string): ParameterKind {
  const [, type = ''] = new RegExp(String.raw`\$${name}\s*::\s*(\w+)`).exec(plain(statement)) ?? [];
  if (/^date$/i.test(type)) return 'date';
  if (/^(u?(tiny|small|big|huge)?int|integer|double|float|real|decimal|numeric)/i.test(type)) return 'number';
  if (/^(text|varchar|string)$/i.test(type) && !choices[name.toLowerCase()]) return 'text';
  return choices[name.toLowerCase()] ?? (dates.test(name) ? 'date' : numbers.test(name) ? 'number' : 'text');
}

/** What can be chosen: a value and its name. */
export function choicesOf(kind: ParameterKind, account: Account | null): [value: string, name: string][] {
  if (kind === 'group') return (account?.groups ?? []).map(({ id, name }) => [String(id), name]);
  if (kind === 'agent') return (account?.agents ?? []).map(({ login, name }) => [login, name]);
  if (kind === 'tag') return (account?.tags ?? []).map((tag) => [tag, tag]);
  return [];
}

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
