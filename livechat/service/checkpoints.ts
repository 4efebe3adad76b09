// Brings what was written from the write-ahead log into the file beside the service, whose commits would wait for the disk otherwise.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

interface Checkpoints {
  /** Resolves once the thread has closed the file. */
  end(): Promise<void>;
}

/**
 * Looks once a second; a passive checkpoint waits for no writer and keeps none waiting. As JavaScript the thread needs a third less memory
 * than as TypeScript.
 */
const thread = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const sqlite = new DatabaseSync(workerData.file);
  sqlite.exec('pragma synchronous = normal; pragma busy_timeout = 5000;');
  const timer = setInterval(() => sqlite.exec('pragma wal_checkpoint(passive)'), 1000);
  parentPort.once('message', () => {
    clearInterval(timer);
    sqlite.close();
  });
`;

/** Runs in a thread of its own until its end; `onMistake` learns why it ended before. */
export function startCheckpoints(file: string, onMistake: (error: unknown) => void): Checkpoints {
  const worker = new Worker(thread, {
    ...{ eval: true, execArgv: [], workerData: { file } },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  const ended = once(worker, 'exit').catch(() => undefined);
  worker.on('error', onMistake);
  worker.unref();
  return {
    async end() {
      worker.ref();
      worker.postMessage('end');
      await ended;
    },
  };
}
