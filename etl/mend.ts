// Mends what a record says in an unusual way whose meaning is safe; whatever is left wrong makes it a misfit. Pure.
import type { z } from 'zod';
import { tableOf, type Column, type Table } from '#warehouse/tables.ts';
import type { FlatRow } from './decode-chats.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : (value ?? ''));

/** Numbers written as text, and parts of a second, which nothing here needs. */
function secondsOf(value: unknown): unknown {
  const number = numberOf(value);
  return typeof number === 'number' ? Math.floor(number) : number;
}

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;

/** A period of a report: numbers that are written as text become numbers; names and dates stay. */
export function mended(each: unknown): unknown {
  if (Array.isArray(each)) return each.map(mended);
  if (!isObject(each)) return numberOf(each);
  const kept = new Set(['name', 'begin', 'end']);
  return Object.fromEntries(Object.entries(each).map(([key, value]) => [key, kept.has(key) ? value : mended(value)]));
}

const without = (record: Json, isDropped: (value: unknown) => boolean): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isDropped(value)));
const isNull = (value: unknown): boolean => value === null;

/** What is null may as well be missing. */
export const withoutNulls = (record: unknown): unknown => (isObject(record) ? without(record, isNull) : record);

const lineTypes = new Set(['message', 'attachment', 'event']);

/** What says nothing may be missing; who wrote a line and when may not. */
function mendedLine(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { type, event_type, ...rest } = without(line, isNull);
  const isKnown = type === undefined || lineTypes.has(String(type));
  return {
    ...rest,
    ...(type === undefined ? {} : { type: isKnown ? type : 'event' }),
    ...(isKnown ? (event_type === undefined ? {} : { event_type }) : { event_type: String(type) }),
    ...{ text: textOf(rest.text), date: textOf(rest.date), timestamp: secondsOf(rest.timestamp) },
  };
}

const mendedMessage = (line: unknown): unknown =>
  isObject(line) ? { author_name: '', ...(mendedLine(line) as Json) } : line;

const mendedEvent = (line: unknown): unknown =>
  isObject(line) ? { type: 'message', ...(mendedLine(line) as Json) } : line;

const mendedGoal = (goal: unknown): unknown => {
  if (!isObject(goal)) return goal;
  const said = without(goal, isNull);
  const order = isObject(said.order) ? without(said.order, isNull) : {};
  return {
    ...said,
    ...{ id: numberOf(said.id), name: textOf(said.name), order },
    ...(said.timestamp === undefined ? {} : { timestamp: secondsOf(said.timestamp) }),
  };
};

const mendedAnswer = (answer: unknown): unknown =>
  isObject(answer) ? { key: textOf(answer.key), value: textOf(answer.value), id: textOf(answer.id) } : answer;

/** An archived chat that does not have its shape as it stands. */
export function mendedChat(record: unknown): unknown {
  if (!isObject(record)) return record;
  const said = without(record, isNull);
  const started = secondsOf(said.started_timestamp);
  const ended = secondsOf(said.ended_timestamp);
  const lasted = typeof started === 'number' && typeof ended === 'number' ? Math.max(0, ended - started) : undefined;
  const { queue, goals, ...rest } = said;
  delete rest.custom_variables;
  delete rest.integration_variables;
  const people = listOf(said.agents).map((each) =>
    isObject(each) ? { ...each, display_name: textOf(each.display_name) } : each,
  );
  const waited = isObject(queue) ? secondsOf(queue.duration) : undefined;
  return {
    ...{ type: 'chat', rate: 'not_rated', chat_start_url: '', started: '', timezone: '', engagement: '' },
    ...rest,
    id: typeof said.id === 'number' ? String(said.id) : said.id,
    ...{ started_timestamp: started, ...(ended === undefined ? {} : { ended_timestamp: ended }) },
    ...{ duration: secondsOf(said.duration) ?? lasted, agents: people, supervisors: [] },
    visitor: isObject(said.visitor) ? without(said.visitor, isNull) : said.visitor,
    group: (Array.isArray(said.group) ? said.group : said.group === undefined ? [] : [said.group]).map(numberOf),
    tags: listOf(said.tags).map(textOf),
    ...{ prechat_survey: listOf(said.prechat_survey).map(mendedAnswer) },
    ...{ postchat_survey: listOf(said.postchat_survey).map(mendedAnswer) },
    ...{ messages: listOf(said.messages).map(mendedMessage), events: listOf(said.events).map(mendedEvent) },
    ...(goals === undefined ? {} : { goals: listOf(goals).map(mendedGoal) }),
    ...(waited === undefined || waited === null ? {} : { queue: { duration: waited } }),
  };
}

/** The first few things that are wrong. */
export const complaintOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');

const largest_int = 2 ** 31;
/** The year 9999. */
const last_second = 253_402_300_799;

function fits(value: string | number | boolean, { type }: Column): boolean {
  if (type === 'int') return Number.isInteger(value) && Math.abs(value as number) < largest_int;
  if (type === 'bigint') return Number.isSafeInteger(value);
  if (type === 'double') return Number.isFinite(value);
  if (type === 'decimal') return /^-?\d{1,14}(\.\d+)?$/.test(String(value));
  if (type === 'instant') return (value as number) >= 0 && (value as number) <= last_second;
  return type !== 'date' || /^\d{4}-\d{2}-\d{2}$/.test(String(value));
}

/** Why a row cannot stand in its table, or nothing: a number that its column cannot hold would stop the whole load. */
export function misfitIn(schema: Table['schema'], name: string, rows: readonly FlatRow[]): string | undefined {
  const { columns } = tableOf(schema, name);
  for (const row of rows) {
    for (const column in row) {
      const [value, known] = [row[column], columns[column]];
      if (value === null || value === undefined || !known || fits(value, known)) continue;
      return `${name}.${column} cannot be ${String(value).slice(0, 60)}`;
    }
  }
  return undefined;
}
