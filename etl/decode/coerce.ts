// Coerces odd values whose meaning is certain; anything else makes the record a misfit. Pure.
import type { z } from 'zod';
import { tableOf, type ColumnType, type Table } from '#warehouse/tables/tables.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import type { FlatRow } from './chats.ts';

/** Numbers written as text, and parts of a second, which nothing here needs. */
function secondsOf(value: unknown): unknown {
  const number = numberOf(value);
  return typeof number === 'number' ? Math.floor(number) : number;
}

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;

/** A period of a report: numbers that are written as text become numbers; names and dates stay. */
export function coerced(each: unknown): unknown {
  if (Array.isArray(each)) return each.map(coerced);
  if (!isObject(each)) return numberOf(each);
  const kept = new Set(['name', 'begin', 'end']);
  return Object.fromEntries(Object.entries(each).map(([key, value]) => [key, kept.has(key) ? value : coerced(value)]));
}

const without = (record: JsonObject, isDropped: (value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isDropped(value)));
const isNull = (value: unknown): boolean => value === null;

/** Null is treated as missing. */
export const withoutNulls = (record: unknown): unknown => (isObject(record) ? without(record, isNull) : record);

/** Lines keep who wrote them and what; dates in words are not used, and seconds may be written in other ways. */
const coercedLine = (line: unknown): unknown =>
  isObject(line) ? { date: '', ...without(line, isNull), timestamp: secondsOf(line.timestamp) } : line;

const coercedGoal = (goal: unknown): unknown => {
  if (!isObject(goal)) return goal;
  const said = without(goal, isNull);
  const order = isObject(said.order) ? { order: without(said.order, isNull) } : {};
  const reached = said.timestamp === undefined ? {} : { timestamp: secondsOf(said.timestamp) };
  return { ...said, id: numberOf(said.id), ...order, ...reached };
};

/** Drops variables whose name is not a text or whose value is not a plain one. */
const coercedPairs = (pairs: unknown): { key: string; value: string }[] =>
  (Array.isArray(pairs) ? pairs.filter(isObject) : []).flatMap(({ key, value }) =>
    typeof key === 'string' && ['string', 'number', 'boolean'].includes(typeof value)
      ? [{ key, value: String(value) }]
      : [],
  );

const eachOf = (list: unknown, coerce: (each: unknown) => unknown): unknown =>
  Array.isArray(list) ? list.map(coerce) : list;

/**
 * Repairs an archived chat that does not match its schema. Fields that feed no fact may be missing or wrong, but nothing that feeds one
 * is invented: a chat without a list of tags is not a chat without tags.
 */
export function coercedChat(record: unknown): unknown {
  if (!isObject(record)) return record;
  const { custom_variables, integration_variables: _, ...said } = without(record, isNull);
  const started = secondsOf(said.started_timestamp);
  const ended = secondsOf(said.ended_timestamp);
  const lasted = typeof started === 'number' && typeof ended === 'number' ? ended - started : said.duration;
  const lines = eachOf(said.events, coercedLine);
  return {
    ...{ type: 'chat', started: '' },
    ...said,
    id: typeof said.id === 'number' ? String(said.id) : said.id,
    ...{ supervisors: [], started_timestamp: started, duration: secondsOf(said.duration ?? lasted) },
    ...(ended === undefined ? {} : { ended_timestamp: ended }),
    visitor: isObject(said.visitor) ? without(said.visitor, isNull) : said.visitor,
    group: eachOf(typeof said.group === 'object' ? said.group : [said.group], numberOf),
    ...{ events: lines, messages: Array.isArray(lines) && lines.length > 0 ? [] : eachOf(said.messages, coercedLine) },
    custom_variables: coercedPairs(custom_variables),
    ...(said.goals === undefined ? {} : { goals: eachOf(said.goals, coercedGoal) }),
    ...(isObject(said.queue) ? { queue: { duration: secondsOf(said.queue.duration) } } : {}),
  };
}

/** The first few things that are wrong. */
export const complaintOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');

const longest_name = 1000;

/** A name of implausible length is cut and marked as cut; the raw archive keeps it whole (decision 012). */
export const named = <Text extends string | null>(text: Text): Text | string =>
  text !== null && text.length > longest_name ? `${text.slice(0, longest_name - 1).toWellFormed()}…` : text;

const largest_int = 2 ** 31;
/** The year 9999. */
const last_second = 253_402_300_799;

/** Whether a column can hold a value. Texts and truths are not asked. */
const holds: Partial<Record<ColumnType, (value: string | number | boolean) => boolean>> = {
  int: (value) => Number.isInteger(value) && Math.abs(value as number) < largest_int,
  bigint: Number.isSafeInteger,
  double: Number.isFinite,
  decimal: (value) => /^-?\d{1,14}(\.\d+)?$/.test(String(value)),
  instant: (value) => (value as number) >= 0 && (value as number) <= last_second,
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
};

interface ColumnCheck {
  column: string;
  can: (value: string | number | boolean) => boolean;
}

const checks = new WeakMap<Table, readonly ColumnCheck[]>();

function checksOf(table: Table): readonly ColumnCheck[] {
  const known = checks.get(table);
  if (known) return known;
  const own = Object.entries(table.columns).flatMap(([column, { type }]) => {
    const can = holds[type];
    return can ? [{ column, can }] : [];
  });
  checks.set(table, own);
  return own;
}

/** Why a row does not fit its table, or undefined: a number out of its column's range would fail the whole load. */
export function misfitIn(schema: Table['schema'], name: string, rows: readonly FlatRow[]): string | undefined {
  if (rows.length === 0) return undefined;
  const own = checksOf(tableOf(schema, name));
  for (const row of rows) {
    for (const { column, can } of own) {
      const value = row[column];
      if (value === null || value === undefined || can(value)) continue;
      return `${name}.${column} cannot be ${String(value).slice(0, 60)}`;
    }
  }
  return undefined;
}
