// Which part of a long list is asked for.
import type { Question } from '#warehouse/question.ts';
import { Refused } from '#warehouse/errors.ts';

export interface Page {
  limit: number;
  offset: number;
}

/** `limit` 100 unless asked, at most 1000; `offset` from 0. Errors: Refused. */
export function pageOf(question: Question): Page {
  const whole = (name: string, otherwise: number, most: number): number => {
    const value = question[name] ?? String(otherwise);
    if (typeof value !== 'string' || !/^\d{1,9}$/.test(value) || Number(value) > most)
      throw new Refused(name, `${name}=${String(value)} is not a whole number from 0 to ${most}`);
    return Number(value);
  };
  return { limit: whole('limit', 100, 1000), offset: whole('offset', 0, 999_999_999) };
}
