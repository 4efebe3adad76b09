// The way to a ClickHouse server: statements with the settings under which they mean what they mean elsewhere.
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { assertWanted, currentSignal } from '../cancellation.ts';
import type { Row } from '../engine.ts';
import { UnreachableWarehouse } from '../errors.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import { agentOf } from './clickhouse-agent.ts';
import { statementError } from './clickhouse-errors.ts';
import { rowsBy } from './clickhouse-rows.ts';

/** Nulls, names and unions as standard SQL has them. */
const asElsewhere: ClickHouseSettings = {
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  cast_keep_nullable: 1,
  least_greatest_legacy_null_behavior: 0,
  prefer_column_name_to_alias: 1,
  union_default_mode: 'DISTINCT',
  session_timezone: 'UTC',
};

const exact: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 1,
};

/** Lists of ids make long statements. */
const roomy: ClickHouseSettings = {
  max_query_size: '100000000',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '10000000',
};

/** The server ends a question whose client has left only where it may do nothing but read. */
const reading: ClickHouseSettings = {
  ...{ ...asElsewhere, ...exact, ...roomy },
  ...{ readonly: '2', cancel_http_readonly_queries_on_client_close: 1 },
};

/** Long questions end by their callers. */
const longest_ms = 3_600_000;

/** Before a request that did not reach the server is sent again. */
const waits_ms = [200, 1000];

/** Errors: a parameter that a statement does not use. */
function assertUsed(sql: string, params: Row): void {
  const unused = Object.keys(params).find((name) => !sql.includes(`{${name}:`));
  if (unused !== undefined) throw new Error(`the statement has no parameter ${unused}`);
}

export class ClickhouseConnection {
  /** In messages, without what must not be read there. */
  readonly name: string;
  readonly database: string;
  readonly #client: ClickHouseClient;

  constructor({ url, username, password, database }: ClickhouseAddress) {
    this.database = database;
    this.name = `clickhouse://${new URL(url).host}/${database}`;
    this.#client = createClient({
      ...{ url, username, password, request_timeout: longest_ms, use_multipart_params_auto: true },
      http_agent: agentOf(url),
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** Of the server, asked without a setting: one that is too old knows some of them not. Errors: those of the warehouse. */
  async version(): Promise<string> {
    try {
      const result = await this.again(() =>
        this.#client.query({ query: 'select version() as version', format: 'JSON' }),
      );
      const { data } = await result.json<{ version: string }>();
      return String(data[0]?.version);
    } catch (error) {
      throw statementError(error, this.name);
    }
  }

  /** Rows of one select in pieces, as they come. Errors: Cancelled, those of the warehouse. */
  async *pieces(sql: string, params: Row): AsyncGenerator<Row[]> {
    assertUsed(sql, params);
    const { abort, leave } = this.#ending();
    try {
      const result = await this.again(() =>
        this.#client.query({
          ...{ query: sql, query_params: params, format: 'JSONCompactEachRowWithNamesAndTypes' },
          ...{ clickhouse_settings: reading, abort_signal: abort.signal },
        }),
      );
      let names: string[] | undefined;
      let rowOf: ((values: readonly unknown[]) => Row) | undefined;
      for await (const lines of result.stream<unknown[]>()) {
        assertWanted();
        const rows: Row[] = [];
        for (const line of lines) {
          const values = line.json<unknown[]>();
          if (rowOf) rows.push(rowOf(values));
          else if (names) rowOf = rowsBy(names, values.map(String));
          else names = values.map(String);
        }
        if (rows.length > 0) yield rows;
      }
      assertWanted();
    } catch (error) {
      assertWanted();
      throw statementError(error, this.name);
    } finally {
      leave();
      abort.abort();
    }
  }

  /** All rows of one select. Errors: as of `pieces`. */
  async rows(sql: string, params: Row = {}): Promise<Row[]> {
    return (await Array.fromAsync(this.pieces(sql, params))).flat();
  }

  /** The bytes of an answer in the format that the statement names. Errors: as of `pieces`. */
  async bytes(sql: string, params: Row): Promise<Buffer> {
    assertUsed(sql, params);
    const { abort, leave } = this.#ending();
    try {
      const { stream } = await this.again(() =>
        this.#client.exec({
          ...{ query: sql, query_params: params, clickhouse_settings: reading, abort_signal: abort.signal },
        }),
      );
      const bytes = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
      assertWanted();
      return bytes;
    } catch (error) {
      assertWanted();
      throw statementError(error, this.name);
    } finally {
      leave();
    }
  }

  /** A statement without rows, which may be run twice. */
  async run(sql: string): Promise<void> {
    await this.again(() => this.#client.command({ query: sql, clickhouse_settings: { wait_end_of_query: 1 } }));
  }

  /**
   * Work that may be done twice: a few times, while the server does not answer. Errors: Cancelled, those of the warehouse.
   */
  async again<T>(work: () => Promise<T>): Promise<T> {
    for (const wait of [...waits_ms, null]) {
      try {
        return await work();
      } catch (error) {
        assertWanted();
        const known = statementError(error, this.name);
        if (wait === null || !(known instanceof UnreachableWarehouse && known.isPassing)) throw known;
        await setTimeout(wait);
        assertWanted();
      }
    }
    throw new Error('the last try has an end');
  }

  /** Rows that come in a format that the statement names. */
  async insert(sql: string, values: Readable): Promise<void> {
    try {
      const { stream } = await this.#client.exec({ query: sql, values });
      // An error may come after the answer has begun.
      await stream.toArray();
    } catch (error) {
      throw statementError(error, this.name);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Ends a request with its caller, or when nobody takes its rows any more. */
  #ending(): { abort: AbortController; leave: () => void } {
    assertWanted();
    const abort = new AbortController();
    const signal = currentSignal();
    const end = (): void => abort.abort();
    signal?.addEventListener('abort', end, { once: true });
    return { abort, leave: () => signal?.removeEventListener('abort', end) };
  }
}
