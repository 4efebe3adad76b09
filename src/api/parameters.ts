// The parameters of an address, as texts.
import { Refused } from '#warehouse/errors.ts';

/** By name: one text, or several where it is given several times. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parametersOf(search: URLSearchParams): Parameters {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of search) parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return Object.fromEntries([...parameters].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Errors: Refused, when it is given several times. */
export function onlyOne(name: string, value: Parameters[string]): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new Refused(name, `${name} is given ${value.length} times, it takes one value`);
}

/** Errors: Refused, naming the choices, when there is a parameter of another name. */
export function assertNamed(parameters: Parameters, names: readonly string[]): void {
  const unknown = Object.keys(parameters).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Refused(unknown, `there is no parameter ${unknown}, only ${names.join(', ')}`, names);
}
