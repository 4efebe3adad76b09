// Child processes of `start`: the embedded service and each pull, told apart by what they say.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writerEnvironment } from '#warehouse/engines/environment.ts';
import { environmentWith } from './config.ts';
import type { Message } from './relay.ts';

const program = fileURLToPath(new URL('./chatledger.ts', import.meta.url));

export interface Children {
  /** They are being ended on purpose. */
  readonly is_ending: boolean;
  /** Resolves with the exit code; `hear` gets every message. */
  run(command: readonly string[], hear: (message: Message) => void): Promise<number>;
  /** Ends all of them and waits until they are gone. */
  end(): Promise<void>;
}

/**
 * Most of what a pull allocates is let go at once. With room for everything the collector lets garbage pile up to
 * hundreds of megabytes; with these flags it stays flat, for a few percent of CPU. Likewise the C library, whose arenas
 * would each keep what their thread let go.
 */
export const pullProcess: ForkOptions & { execArgv: string[]; env: NodeJS.ProcessEnv } = {
  execArgv: ['--max-semi-space-size=4', '--max-old-space-size=512'],
  env: environmentWith({
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    ...writerEnvironment,
  }),
};

/** A child that does not go by itself within this time is killed; a pull writes and publishes what has come first. */
const patience_ms = 8000;

export function createChildren(): Children {
  const living = new Set<ChildProcess>();
  let is_ending = false;
  return {
    get is_ending() {
      return is_ending;
    },
    run(command, hear) {
      const own = command[0] === 'pull' ? pullProcess : { execArgv: [] };
      const child = fork(program, [...command], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...own });
      living.add(child);
      child.on('message', (message) => hear(message as Message));
      return new Promise((resolve) =>
        child.on('exit', (code) => {
          living.delete(child);
          resolve(code ?? 1);
        }),
      );
    },
    async end() {
      is_ending = true;
      await Promise.all(
        [...living].map((child) => {
          const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
          child.kill('SIGTERM');
          const timer = setTimeout(() => child.kill('SIGKILL'), patience_ms);
          return gone.finally(() => clearTimeout(timer));
        }),
      );
    },
  };
}
