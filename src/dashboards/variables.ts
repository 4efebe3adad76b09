// Declared variables as pages name them: `plan:pro` narrows to a value, `variable:plan` splits by all of them.

const before = 'variable:';
const chosen = /^([a-z][a-z0-9_]{0,31}):(.+)$/s;

export type VariableSplit = `variable:${string}`;

/** What may be declared as an id, for patterns of splits. */
export const variableSplits = `${before}[a-z][a-z0-9_]{0,31}`;

export const splitByVariable = (id: string): VariableSplit => `${before}${id}`;

/** The variable of a split; undefined for other splits. */
export const variableOf = (split: string): string | undefined =>
  split.startsWith(before) ? split.slice(before.length) : undefined;

/** The column of a split in the rows of an answer, and in the splits that a metric allows. */
export const columnOf = (split: string): string => (split.startsWith(before) ? 'variable' : split);

/** Variable and value of `plan:pro`; undefined for other texts. */
export function chosenOf(text: string): { variable: string; value: string } | undefined {
  const [, variable, value] = chosen.exec(text) ?? [];
  return variable === undefined || value === undefined ? undefined : { variable, value };
}

/** Those of `plan:pro`, `plan:free` and `region:eu` that are of one variable, as their values. */
export const valuesOf = (texts: readonly string[], variable: string): string[] =>
  texts.flatMap((text) => {
    const found = chosenOf(text);
    return found?.variable === variable ? [found.value] : [];
  });
