// A page of an archive without those who were erased, before it is archived: records that are not theirs keep their bytes.
import type { Erased } from '../erased/erased.ts';
import { takeApart } from './pages.ts';

/** A text that is no page is left out as a whole when it names somebody who was erased: nobody could decode it. */
export function bodyWithout(erased: Erased, account: string, text: string): string {
  if (erased.isEmpty) return text;
  const { chats, form } = takeApart(text);
  if (form === 'whole') return erased.isNamedIn(account, text) ? leftOut(text) : text;
  let without = '';
  let after = 0;
  for (const { body } of chats) {
    const start = text.indexOf(body, after);
    without += text.slice(after, start) + recordWithout(erased, account, body);
    after = start + body.length;
  }
  return without + text.slice(after);
}

/** Of a record as text. */
export function recordWithout(erased: Erased, account: string, text: string): string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return erased.isNamedIn(account, text) ? '{}' : text;
  }
  const left = erased.record(account, record);
  return left === record ? text : JSON.stringify(left);
}

export const leftOut = (text: string): string =>
  `(${text.length} characters that could not be read and named an erased visitor)`;
