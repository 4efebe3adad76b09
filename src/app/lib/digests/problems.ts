// Errors of a form, each with the field it concerns.

export interface Problem {
  /** Path of the field in the API: `readers.0.address`; empty if it concerns no field. */
  at: string;
  text: string;
}

/** Reads `readers.0.address: must be …`. */
export function placed(sentence: string): Problem {
  const found = /^([a-z_]+(?:\.\w+)*): (.+)$/s.exec(sentence);
  return found ? { at: found[1] ?? '', text: found[2] ?? '' } : { at: '', text: sentence };
}

/** Errors of a field and its subfields. */
export const problemsAt = (problems: readonly Problem[], at: string): Problem[] =>
  problems.filter((it) => it.at === at || it.at.startsWith(`${at}.`));

/** Its id in the page. */
export const fieldId = (at: string): string => `at-${at.replaceAll('.', '-')}`;
