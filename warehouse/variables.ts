// Declared custom variables and survey questions, which split and filter chats. Pure.
import { Refused } from './errors.ts';

export const variableSources = ['custom_variable', 'prechat', 'postchat'] as const;
export type VariableSource = (typeof variableSources)[number];

export interface VariableDefinition {
  /** How questions name it: `split=variable:plan`, `variable=plan:pro`. */
  id: string;
  title: string;
  source: VariableSource;
  /** Name of the custom variable, or the survey question as it was shown. */
  name: string;
}

export const variableId = /^[a-z][a-z0-9_]{0,31}$/;

/** Maximum per account. */
export const most_variables = 12;
/** Values of a variable, the most frequent. */
export const most_values = 50;
/** Whatever fewer visitors gave may say who they are. */
export const least_visitors = 3;
/** Characters; longer ones are sentences. */
export const longest_value = 100;
/** Stands for all other values. */
export const other_value = 'Other';

const before = 'variable:';

/** `variable:plan` is a split by `variable`, namely `plan`; other texts are splits themselves. */
export const splitNamed = (text: string): { split: string; variable?: string } =>
  text.startsWith(before) ? { split: 'variable', variable: text.slice(before.length) } : { split: text };

/** `plan:pro` narrows to chats of that value; a value may hold colons too. Errors: Refused. */
export function chosenValue(text: string): { variable: string; value: string } {
  const colon = text.indexOf(':');
  const variable = text.slice(0, colon);
  if (colon < 1 || !variableId.test(variable))
    throw new Refused('variable', `variable=${text} is not a declared variable, a colon and a value, such as plan:pro`);
  return { variable, value: text.slice(colon + 1) };
}

/** Values by variable. Errors: Refused. */
export const chosenValues = (texts: readonly string[]): Map<string, string[]> =>
  new Map(
    [...Map.groupBy(texts.map(chosenValue), ({ variable }) => variable)].map(([variable, chosen]) => [
      variable,
      chosen.map(({ value }) => value),
    ]),
  );
