// A record that is set aside as it was received: the texts in it are redacted like those of facts. Pure.
import { washed, type Wash } from '../erased/record.ts';
import { isObject } from '../json-object.ts';
import type { Redaction } from './redaction.ts';

/** Description of a record that could not be decoded. */
export const misfitOf = (redaction: Redaction, reason: string, record: unknown): { reason: string; body: string } => ({
  reason: redaction.text(reason),
  body: JSON.stringify(redactedRecord(record, redaction)),
});

/** Ids, times and other values that are not texts stay; returns the record itself if nothing is redacted. */
export function redactedRecord(record: unknown, { fingerprint, text }: Redaction): unknown {
  if (fingerprint === null) return record;
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    // A number in place of a text may be the reason for the quarantine, so numbers are redacted too.
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : 0;
    if (Array.isArray(value)) return value.map(deep);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), deep(item)]));
  };
  const wash: Wash = { id: (value) => value, name: deep, words: deep, emptied: deep, gone: deep };
  return washed(record, wash);
}
