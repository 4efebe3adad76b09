// What is wrong with a form, each sentence with the field that it is about.

export interface Problem {
  /** As the API names it: `readers.0.address`; empty where it is about no field. */
  at: string;
  text: string;
}

/** Reads `readers.0.address: must be …`. */
export function placed(sentence: string): Problem {
  const found = /^([a-z_]+(?:\.\w+)*): (.+)$/s.exec(sentence);
  return found ? { at: found[1] ?? '', text: found[2] ?? '' } : { at: '', text: sentence };
}

/** Those of a field, and of what is in it. */
export const problemsAt = (problems: readonly Problem[], at: string): Problem[] =>
  problems.filter((it) => it.at === at || it.at.startsWith(`${at}.`));

/** Its id in the page. */
export const fieldId = (at: string): string => `at-${at.replaceAll('.', '-')}`;
