// Removes erased records from an archive page before it is stored; unaffected records keep their bytes.
import type { ErasureFilter } from '../erased/erased.ts';
import { takeApart } from './pages.ts';

/** `day`: the local day that was requested. */
export function bodyWithout(erased: ErasureFilter, account: string, text: string, day: string): string {
  if (erased.isEmpty) return text;
  const { chats, form } = takeApart(text);
  if (form === 'whole') return erased.text(account, text, day);
  let without = '';
  let after = 0;
  for (const { body } of chats) {
    const start = text.indexOf(body, after);
    without += text.slice(after, start) + recordWithout(erased, account, body, day);
    after = start + body.length;
  }
  return without + text.slice(after);
}

/** The same for one record as text. */
export function recordWithout(erased: ErasureFilter, account: string, text: string, day: string): string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return erased.text(account, text, day) === text ? text : '{}';
  }
  const left = erased.record(account, record, day);
  return left === record ? text : JSON.stringify(left);
}
