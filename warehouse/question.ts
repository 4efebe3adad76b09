// A question as it comes from outside, before it is known what it means: names and texts.
import { Refused } from './errors.ts';

/** By name: one text, or several where it is given several times. Names as in INTERFACE.md. */
export type Question = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Errors: Refused, when it is given several times. */
export function onlyOne(question: Question, name: string): string | undefined {
  const value = question[name];
  if (value === undefined || typeof value === 'string') return value;
  if (value.length > 1) throw new Refused(name, `${name} is given ${value.length} times, it takes one value`);
  return value[0];
}

/** Every text that is given. */
export const allOf = (question: Question, name: string): string[] => [question[name] ?? []].flat();

/** Errors: Refused, naming the choices, when it has a part of another name. */
export function assertNamed(question: Question, names: readonly string[]): void {
  const unknown = Object.keys(question).find((name) => question[name] !== undefined && !names.includes(name));
  if (unknown !== undefined)
    throw new Refused(unknown, `there is no parameter ${unknown}, only ${names.join(', ')}`, names);
}
