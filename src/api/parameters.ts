// The parameters of an address, as texts.
import type { Question } from '#warehouse/question.ts';

export function parametersOf(search: URLSearchParams): Question {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of search) parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return Object.fromEntries([...parameters].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
