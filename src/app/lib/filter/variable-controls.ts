// The controls of the filter bar for variables: one for each that is declared, and for one that the address names and nobody has declared.
import type { Account } from '#api/contract/accounts.ts';
import { chosenOf } from '#dashboards/variables.ts';

interface VariableControl {
  id: string;
  title: string;
  /** Each value as the address names it, `plan:pro`. */
  choices: { id: string; name: string }[];
  chosen: string[];
}

/** `texts` are the filters of the address, such as `plan:pro`. */
export function variableControls(declared: Account['variables'], texts: readonly string[]): VariableControl[] {
  const asked = new Set(texts.flatMap((text) => chosenOf(text)?.variable ?? []));
  const undeclared = [...asked].filter((id) => !declared.some((it) => it.id === id));
  return [...declared, ...undeclared.map((id) => ({ id, title: id, values: [] }))].map(({ id, title, values }) => ({
    ...{ id, title },
    choices: values.map((value) => ({ id: `${id}:${value}`, name: value })),
    chosen: texts.filter((text) => chosenOf(text)?.variable === id),
  }));
}
