// Names that only the v3 APIs know: the chat that holds all threads of a visitor, the customer's UUID, instants with microseconds.
import { createHash } from 'node:crypto';
import { memoize } from './memoize.ts';

const digestOf = (purpose: string, text: string): Buffer => createHash('sha256').update(`${purpose} ${text}`).digest();

/** A version 4 UUID that is always the same for the same visitor. */
export const customerId = memoize(1000, (visitor_id: string): string => {
  const bytes = digestOf('customer', visitor_id).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});

/** 10 uppercase letters and digits. A v2 chat is a v3 thread; one v3 chat holds all threads of a customer. */
export function chatIdOf(visitor_id: string): string {
  const number = digestOf('chat', visitor_id).readBigUInt64BE() % 36n ** 10n;
  return number.toString(36).toUpperCase().padStart(10, '0');
}

/** Whether an id is such ten, which two numbers hold; ids of records from elsewhere may be anything. */
export const isPlainChatId = (id: string): boolean => /^[0-9A-Z]{10}$/.test(id);

/** `2026-05-06T12:00:00.000000Z` of Unix seconds. */
export const momentOf = memoize(1000, (second: number): string =>
  new Date(second * 1000).toISOString().replace('Z', '000Z'),
);

/** Unix seconds, with fractions, of any form the documents allow. */
export const secondOf = (moment: string): number => Date.parse(moment) / 1000;
