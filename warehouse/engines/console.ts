// One statement of a person against a snapshot: read-only, without files, extensions or settings to reach for.
import { DuckDBInstance, StatementType, type DuckDBConnection, type DuckDBResult, type Json } from '@duckdb/node-api';
import { hasStatement, no_statement } from './console-empty.ts';
import { ConsoleError, type Exceeded } from './console-error.ts';
import { bindParameters, quotedIn, type ParameterValues } from './console-parameters.ts';

export interface ConsoleColumn {
  name: string;
  /** As the engine names it, such as `VARCHAR` or `DECIMAL(18,2)`. */
  type: string;
}

export interface ConsoleAnswer {
  columns: ConsoleColumn[];
  /** Values as JSON has them; large integers, decimals and times are texts. */
  rows: Json[][];
  /** There are rows beyond the limits. */
  more: boolean;
}

export interface ConsoleLimits {
  rows: number;
  /** Of the rows as JSON; without it any size. */
  characters?: number;
  /** Such as `1GB`. */
  memory?: string;
  /** A folder for what does not fit, and how much goes there; without it nothing is spilled. */
  spill?: { folder: string; size: string };
  threads?: number;
}

/** TRICKY: the folder comes before files are switched off, after which none can be named; and it is one that statements reach. */
const settingsOf = ({ memory = '1GB', threads = 2, spill }: Omit<ConsoleLimits, 'rows' | 'characters'>) => ({
  temp_directory: spill?.folder ?? '',
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  ...{ memory_limit: memory, threads: String(threads) },
});

/** Times are those of UTC, whatever the zone of the machine. TRICKY: the engine forgets the size of what is spilled when it is given at its start. */
async function lock(connection: DuckDBConnection, { spill }: Pick<ConsoleLimits, 'spill'>): Promise<void> {
  if (spill) await connection.run(`set max_temp_directory_size = '${spill.size}'`);
  await connection.run("set timezone = 'UTC'; set lock_configuration = true");
}

/** Neither of them changes anything; `describe`, `show` and `from …` are selects. */
const answered: readonly StatementType[] = [StatementType.SELECT, StatementType.EXPLAIN];

/**
 * Hands the result of a statement to `work` while it is open. Errors: ConsoleError, also if it is not exactly one statement that asks for
 * something, or its parameters are not those given.
 */
export async function withResult<T>(
  file: string,
  statement: string,
  limits: Omit<ConsoleLimits, 'rows' | 'characters'>,
  parameters: ParameterValues,
  work: (result: DuckDBResult, columns: ConsoleColumn[]) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(file, settingsOf(limits));
  const connection = await instance.connect();
  try {
    await lock(connection, limits);
    const result = await resultOf(connection, statement, parameters);
    const columns = result.columnNames().map((name, place) => ({ name, type: String(result.columnType(place)) }));
    return await work(result, columns);
  } catch (error) {
    if (error instanceof ConsoleError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const exceeded = exceededIn(message, limits.spill !== undefined);
    if (exceeded) throw new ConsoleError(message, [], exceeded);
    const quoted = quotedIn(message, parameters);
    const named = quoted.map((name) => `$${name}`).join(', ');
    const words = quoted.length > 0 ? `the value of ${named} is wrong: ${message}` : message;
    throw new ConsoleError(words, quoted, null, statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Null: the message is about something else. */
const exceededIn = (message: string, hasSpill: boolean): Exceeded | null =>
  !/^(Failed to \w+ statements?: )?Out of Memory Error/.test(message)
    ? null
    : hasSpill && message.includes('max_temp_directory_size')
      ? 'disk'
      : 'memory';

/** The first rows. Errors: ConsoleError, as of `withResult`. */
export const ask = (
  file: string,
  statement: string,
  limits: ConsoleLimits,
  parameters: ParameterValues = {},
): Promise<ConsoleAnswer> =>
  withResult(file, statement, limits, parameters, async (result, columns) => {
    const { rows: most, characters = Infinity } = limits;
    const rows: Json[][] = [];
    let size = 0;
    for await (const some of result.yieldRowsJson())
      for (const row of some) {
        if (rows.length === most || size > characters) return { columns, rows, more: true };
        size += characters === Infinity ? 0 : JSON.stringify(row).length;
        rows.push(row);
      }
    return { columns, rows, more: false };
  });

/** The engine makes several statements of a pivot that does not name its values: the first ones collect them. */
const severalWords = (count: number, statement: string): string =>
  /\bpivot/i.test(statement)
    ? "run one statement at a time, and name the values of a pivot: without them it is several. Write pivot … on country in ('Poland', 'Spain') using …"
    : `run one statement at a time: there are ${count}`;

async function resultOf(connection: DuckDBConnection, statement: string, parameters: ParameterValues) {
  if (!hasStatement(statement)) throw new ConsoleError(no_statement);
  const statements = await connection.extractStatements(statement);
  if (statements.count !== 1) throw new ConsoleError(severalWords(statements.count, statement));
  const prepared = await statements.prepare(0);
  if (!answered.includes(prepared.statementType))
    throw new ConsoleError(
      `only statements that read are run (select, from, with, describe, show, explain), and this one is ${StatementType[prepared.statementType]}`,
    );
  await bindParameters(connection, prepared, statement, parameters);
  return prepared.stream();
}
