// v2.0 writes the lines of a chat twice: as messages, and again among its events, from which the facts are made. Pure.
import type { JsonObject } from '../json-object.ts';

const messages = ',"messages":[';
const events = '],"events":[{';

/**
 * The record without what its messages hold, read in two thirds of the time; undefined if the text is not written so, or has no events.
 * The text has to be a whole record: a quote after a comma begins a name there, so that without another closing bracket in between the
 * list of messages ends where the events begin, or what is left is no record.
 */
export function withoutRepeatedLines(text: string): JsonObject | undefined {
  const found = text.indexOf(messages);
  if (found === -1) return undefined;
  const start = found + messages.length;
  const end = text.indexOf(']', start);
  if (end === start || !text.startsWith(events, end)) return undefined;
  try {
    const record = JSON.parse(text.slice(0, start) + text.slice(end)) as JsonObject;
    // Of names that are written twice, the last one counts.
    return Array.isArray(record.events) && record.events.length > 0 ? record : undefined;
  } catch {
    return undefined;
  }
}
