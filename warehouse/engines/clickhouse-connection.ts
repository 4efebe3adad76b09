// The way to a ClickHouse server: statements with the settings under which they mean what they mean elsewhere.
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { assertWanted, currentSignal } from '../cancellation.ts';
import type { Row } from '../engine.ts';
import { UnreachableWarehouse } from '../errors.ts';
import { nameOf, type ClickhouseAddress } from './clickhouse-address.ts';
import { agentOf } from './clickhouse-agent.ts';
import { BrokenAnswer, statementError } from './clickhouse-errors.ts';
import { patient, watch, type Patience } from './clickhouse-patience.ts';
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

/** Errors: a parameter that a statement does not use. */
function assertUsed(sql: string, params: Row): void {
  const unused = Object.keys(params).find((name) => !sql.includes(`{${name}:`));
  if (unused !== undefined) throw new Error(`the statement has no parameter ${unused}`);
}

/** A request, and what ends it: its caller, or a server that is not there any more. */
interface Request {
  signal: AbortSignal;
  /** Nobody takes its rows any more. */
  abort(): void;
  /** Why it was ended, if it was for the server. */
  lost(): UnreachableWarehouse | undefined;
  leave(): void;
}

export class ClickhouseConnection {
  /** In messages, without what must not be read there. */
  readonly name: string;
  readonly database: string;
  readonly #url: string;
  readonly #patience: Patience;
  readonly #client: ClickHouseClient;

  constructor(address: ClickhouseAddress, patience = patient) {
    const { url, username, password, database } = address;
    this.database = database;
    this.name = nameOf([address]);
    this.#url = url;
    this.#patience = patience;
    this.#client = createClient({
      ...{ url, username, password, request_timeout: longest_ms, use_multipart_params_auto: true },
      http_agent: agentOf(url, patience.connect_ms),
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** Of the server, asked without a setting: one that is too old knows some of them not. Errors: those of the warehouse. */
  async version(): Promise<string> {
    return this.#request(async ({ signal, lost }) => {
      const ask = () =>
        this.#client.query({ query: 'select version() as version', format: 'JSON', abort_signal: signal });
      const { data } = await (await this.again(ask, lost)).json<{ version: string }>();
      if (!Array.isArray(data)) throw new BrokenAnswer('something else as its version');
      return String(data[0]?.version);
    });
  }

  /** Rows of one select in pieces, as they come. Errors: Cancelled, those of the warehouse. */
  async *pieces(sql: string, params: Row): AsyncGenerator<Row[]> {
    assertUsed(sql, params);
    const { signal, abort, lost, leave } = this.#begin();
    try {
      const ask = () =>
        this.#client.query({
          ...{ query: sql, query_params: params, format: 'JSONCompactEachRowWithNamesAndTypes' as const },
          ...{ clickhouse_settings: reading, abort_signal: signal },
        });
      const result = await this.again(ask, lost);
      let names: string[] | undefined;
      let rowOf: ((values: readonly unknown[]) => Row) | undefined;
      for await (const lines of result.stream<unknown[]>()) {
        assertWanted();
        const rows: Row[] = [];
        for (const line of lines) {
          const values = line.json<unknown>();
          if (!Array.isArray(values)) throw new BrokenAnswer(line.text);
          if (rowOf) rows.push(rowOf(values));
          else if (names) rowOf = rowsBy(names, values.map(String));
          else names = values.map(String);
        }
        if (rows.length > 0) yield rows;
      }
      assertWanted();
      // Also an answer without rows has names and types.
      if (!rowOf) throw lost() ?? new BrokenAnswer('nothing');
    } catch (error) {
      assertWanted();
      throw lost() ?? statementError(error, this.name);
    } finally {
      leave();
      abort();
    }
  }

  /** All rows of one select. Errors: as of `pieces`. */
  async rows(sql: string, params: Row = {}): Promise<Row[]> {
    return (await Array.fromAsync(this.pieces(sql, params))).flat();
  }

  /** The bytes of an answer in the format that the statement names. Errors: as of `pieces`. */
  async bytes(sql: string, params: Row): Promise<Buffer> {
    assertUsed(sql, params);
    return this.#request(async ({ signal, lost }) => {
      const ask = () =>
        this.#client.exec({
          ...{ query: sql, query_params: params, clickhouse_settings: reading, abort_signal: signal },
        });
      const { stream } = await this.again(ask, lost);
      return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
    });
  }

  /** A statement without rows, which may be run twice. Errors: as of `pieces`. */
  async run(sql: string): Promise<void> {
    await this.#request(({ signal, lost }) => {
      const ask = () =>
        this.#client.command({ query: sql, clickhouse_settings: { wait_end_of_query: 1 }, abort_signal: signal });
      return this.again(ask, lost);
    });
  }

  /**
   * Work that may be done twice: a few times, while the server does not answer; not any more once it is `lost`. Errors: Cancelled, those of
   * the warehouse.
   */
  async again<T>(work: () => Promise<T>, lost?: Request['lost']): Promise<T> {
    for (const wait of [...this.#patience.again_ms, null]) {
      try {
        return await work();
      } catch (error) {
        assertWanted();
        const known = lost?.() ?? statementError(error, this.name);
        const isLast = wait === null || lost?.() !== undefined;
        if (isLast || !(known instanceof UnreachableWarehouse && known.isPassing)) throw known;
        await setTimeout(wait);
        assertWanted();
      }
    }
    throw new Error('the last try has an end');
  }

  /** Rows that come in a format that the statement names. Errors: as of `pieces`. */
  async insert(sql: string, values: Readable): Promise<void> {
    await this.#request(async ({ signal }) => {
      const { stream } = await this.#client.exec({ query: sql, values, abort_signal: signal });
      // An error may come after the answer has begun.
      await stream.toArray();
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Errors: as of `pieces`. */
  async #request<T>(work: (request: Request) => Promise<T>): Promise<T> {
    const request = this.#begin();
    try {
      const done = await work(request);
      assertWanted();
      return done;
    } catch (error) {
      assertWanted();
      throw request.lost() ?? statementError(error, this.name);
    } finally {
      request.leave();
    }
  }

  #begin(): Request {
    assertWanted();
    const controller = new AbortController();
    const caller = currentSignal();
    let lost: UnreachableWarehouse | undefined;
    const abort = (): void => controller.abort();
    const unwatch = watch(this.#url, this.#patience, (why) => {
      lost = new UnreachableWarehouse(this.name, why, true);
      abort();
    });
    caller?.addEventListener('abort', abort, { once: true });
    return {
      ...{ signal: controller.signal, abort, lost: () => lost },
      leave() {
        unwatch();
        caller?.removeEventListener('abort', abort);
      },
    };
  }
}
