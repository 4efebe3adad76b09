// Values of a statement's named parameters: bound as what the engine expects in their places, never written into the text.
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { ConsoleError } from './console-error.ts';

export type ParameterValues = Readonly<Record<string, string | number | boolean | null>>;

/** Given to `cast`, which takes fractions for whole numbers. */
const whole = /^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)/;
/** A type that is written behind a parameter, for statements of which the engine does not tell types. */
const written = (name: string): RegExp =>
  new RegExp(
    String.raw`\$${RegExp.escape(name)}\s*::\s*(date|timestamptz|timestamp|int|integer|bigint|double|boolean)\b`,
    'i',
  );

const listed = (names: readonly string[]): string => names.map((name) => `$${name}`).join(', ');

/** TRICKY: when the engine cannot tell the type of one parameter, it tells none of them. */
function typeOf(prepared: DuckDBPreparedStatement, index: number): DuckDBType | undefined {
  try {
    return prepared.parameterType(index);
  } catch {
    return undefined;
  }
}

/** Errors: ConsoleError, which names parameters without a value, with a wrong one, and those that the statement lacks. */
export async function bindParameters(
  connection: DuckDBConnection,
  prepared: DuckDBPreparedStatement,
  statement: string,
  given: ParameterValues,
): Promise<void> {
  const names = Array.from({ length: prepared.parameterCount }, (_, at) => prepared.parameterName(at + 1));
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw new ConsoleError(
      `${missing.length === 1 ? 'the parameter' : 'the parameters'} ${listed(missing)} must have a value`,
      missing,
    );
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ConsoleError(
      `the statement has no ${unknown.length === 1 ? 'parameter' : 'parameters'} ${listed(unknown)}, ${names.length > 0 ? `only ${listed(names)}` : 'and none at all'}`,
      unknown,
    );
  for (const [at, name] of names.entries()) {
    const value = given[name] ?? null;
    const type = typeOf(prepared, at + 1);
    const expected = type ? String(type) : written(name).exec(statement)?.[1]?.toUpperCase();
    if (value === null) prepared.bindNull(at + 1);
    else {
      const read = expected === undefined ? value : await readAs(connection, expected, name, value);
      if (type) prepared.bindValue(at + 1, read, type);
      else bindPlain(prepared, at + 1, value);
    }
  }
}

/** The value as the engine holds it. Errors: ConsoleError. */
async function readAs(connection: DuckDBConnection, type: string, name: string, value: string | number | boolean) {
  const wrong = (): ConsoleError =>
    new ConsoleError(`the parameter $${name} must be ${type}, and is ${JSON.stringify(value)}`, [name]);
  if (whole.test(type) && !/^\s*[+-]?\d+\s*$/.test(String(value))) throw wrong();
  try {
    const reader = await connection.runAndReadAll(`select cast($1 as ${type})`, [String(value)]);
    return reader.getRows()[0]?.[0] ?? null;
  } catch {
    throw wrong();
  }
}

/** A text stands for what its place expects, as a quoted text in a statement does. */
function bindPlain(prepared: DuckDBPreparedStatement, index: number, value: string | number | boolean): void {
  if (typeof value === 'boolean') prepared.bindBoolean(index, value);
  else if (typeof value === 'string') prepared.bindVarchar(index, value);
  else if (Number.isSafeInteger(value)) prepared.bindBigInt(index, BigInt(value));
  else prepared.bindDouble(index, value);
}

/** Parameters whose texts the engine quotes when it could not read them. */
export const quotedIn = (message: string, given: ParameterValues): string[] =>
  Object.entries(given)
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .filter(([, value]) => message.includes(`"${String(value)}"`) || message.includes(`'${String(value)}'`))
    .map(([name]) => name);
