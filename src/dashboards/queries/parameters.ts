// The named parameters of a statement, and what kind of value each takes: a date, a number, a text, or a choice of the account.

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
