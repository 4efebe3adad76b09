// Whom an archive record is about: ids, names and addresses of its visitor, in either archive format. Pure.
import { isObject, type JsonObject } from '../json-object.ts';
import { addressOf, isAddress } from './addresses.ts';

interface RecordSubject {
  /** The visitor in v2.0, the customer in v3.5. */
  visitor: string | undefined;
  /** The chat of v2.0 or the thread of v3.5, which the facts call the chat. */
  chat: string | undefined;
  names: string[];
  /** As the source knows them, and as they were typed into the form before the chat. */
  addresses: string[];
}

/** A record of list_archives holds a thread. */
export const isThreaded = (record: unknown): record is JsonObject & { thread: JsonObject } =>
  isObject(record) && isObject(record['thread']);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const idOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');

export function subjectOf(record: unknown): RecordSubject {
  if (isThreaded(record)) return subjectOfThread(record);
  if (!isObject(record)) return { visitor: undefined, chat: undefined, names: [], addresses: [] };
  const visitor = isObject(record['visitor']) ? record['visitor'] : {};
  const typed = listOf(record['prechat_survey']).map((answer) => (isObject(answer) ? answer['value'] : undefined));
  return {
    visitor: idOf(visitor['id']),
    chat: idOf(record['id']),
    names: texts(visitor['name']),
    addresses: addressesIn(visitor['email'], ...typed),
  };
}

const customersIn = (record: unknown): JsonObject[] =>
  isObject(record)
    ? listOf(record['users'])
        .filter(isObject)
        .filter((user) => user['type'] === 'customer')
    : [];

function subjectOfThread(record: JsonObject & { thread: JsonObject }): RecordSubject {
  const [customer = {}] = customersIn(record);
  const forms = listOf(record.thread['events'])
    .filter(isObject)
    .filter(({ type }) => type === 'filled_form');
  const typed = forms.flatMap(({ fields }) =>
    listOf(fields).map((field) => (isObject(field) ? field['answer'] : undefined)),
  );
  return {
    visitor: idOf(customer['id']),
    chat: idOf(record.thread['id']),
    names: texts(customer['name']),
    addresses: addressesIn(customer['email'], ...typed),
  };
}

const addressesIn = (...values: unknown[]): string[] => [
  ...new Set(
    texts(...values)
      .filter(isAddress)
      .map(addressOf),
  ),
];
