// Looks for rows of the file in a thread of its own, so that only that thread waits for the disk. What it read is in the machine's memory then.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { HungUp } from './asking.ts';

/** A statement whose first parameter is a number; it gives a row or none. */
interface RowQuestion {
  sql: string;
  /** Of the other parameters. */
  values: string[];
}

export interface FileReader {
  /** Those of the numbers for which there is a row, in their order; the file is read as it is then. Rejects with HungUp at the end. */
  passing(question: RowQuestion, numbers: Uint32Array): Promise<Uint32Array>;
  /** Resolves once the thread has closed the file. */
  end(): Promise<void>;
}

/** Without a question for so long the thread ends, and another one begins with the next. */
const kept_ms = 10_000;

/** As JavaScript the thread needs a third less memory than as TypeScript. */
const thread = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const sqlite = new DatabaseSync(workerData.file, { readOnly: true });
  const statements = new Map();
  const statementOf = (sql) => {
    if (!statements.has(sql)) statements.set(sql, sqlite.prepare(sql));
    return statements.get(sql);
  };
  parentPort.on('message', (asked) => {
    if (asked === 'end') {
      sqlite.close();
      parentPort.close();
      return;
    }
    const { sql, values, numbers } = asked;
    const statement = statementOf(sql);
    sqlite.exec('begin');
    const found = numbers.filter((number) => statement.get(number, ...values) !== undefined);
    sqlite.exec('commit');
    parentPort.postMessage(found);
  });
`;

/**
 * The thread begins with the first question, and ends when nothing was asked for `idle_ms`. A file in memory has none: `sqlite`
 * is asked itself.
 */
export function createFileReader(file: string, sqlite: DatabaseSync, idle_ms = kept_ms): FileReader {
  return file === ':memory:' ? readerOf(sqlite) : readerBeside(file, idle_ms);
}

function readerOf(sqlite: DatabaseSync): FileReader {
  const statements = new Map<string, StatementSync>();
  return {
    passing({ sql, values }, numbers) {
      const statement = statements.get(sql) ?? sqlite.prepare(sql);
      statements.set(sql, statement);
      const isThere = (number: SQLInputValue): boolean => statement.get(number, ...values) !== undefined;
      return Promise.resolve(numbers.filter(isThere));
    },
    end: () => Promise.resolve(),
  };
}

function readerBeside(file: string, idle_ms: number): FileReader {
  let running: ReturnType<typeof start> | undefined;

  function start() {
    const worker = new Worker(thread, {
      ...{ eval: true, execArgv: [], workerData: { file } },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    });
    worker.unref();
    /** Those who wait, in the order of their questions. */
    const waiting: PromiseWithResolvers<Uint32Array>[] = [];
    // A slow disk may take longer for an answer than the thread is kept without a question.
    const idle = setTimeout(() => (waiting.length > 0 ? idle.refresh() : void own.end()), idle_ms).unref();
    const leave = (reason: unknown): void => {
      clearTimeout(idle);
      if (running === own) running = undefined;
      for (const each of waiting.splice(0)) each.reject(reason);
    };
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        leave(new HungUp('the file is closed'));
        resolve();
      });
    });
    worker.on('error', leave);
    worker.on('message', (found: Uint32Array) => waiting.shift()?.resolve(found));
    const own = {
      ask(question: RowQuestion, numbers: Uint32Array): Promise<Uint32Array> {
        idle.refresh();
        const answer = Promise.withResolvers<Uint32Array>();
        waiting.push(answer);
        worker.postMessage({ ...question, numbers });
        return answer.promise;
      },
      end(): Promise<void> {
        leave(new HungUp('the file is closed'));
        worker.ref();
        worker.postMessage('end');
        return ended;
      },
    };
    return own;
  }

  return {
    async passing(question, numbers) {
      return numbers.length === 0 ? numbers : await (running ??= start()).ask(question, numbers);
    },
    async end() {
      await running?.end();
    },
  };
}
