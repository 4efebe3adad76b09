// Child processes of `start`: the embedded service, each pull and the build of the pages. None of them outlives it.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killTree } from './descendants.ts';
import { endsBeforePages, giveWay } from './priorities.ts';
import { processOf } from './command-process.ts';
import type { Message, EraseMessage } from './ipc.ts';

const program = fileURLToPath(new URL('./chatledger.ts', import.meta.url));
const preload = new URL('./child-preload.ts', import.meta.url).href;

export interface Children {
  /** They are being ended on purpose. */
  readonly is_ending: boolean;
  /**
   * Runs a command of this program. Resolves with the exit code; `hear` gets every message. `order`: instructions that must not appear in
   * the process list.
   */
  run(command: readonly string[], hear: (message: Message) => void, order?: EraseMessage): Promise<number>;
  /** Runs another program, which ends with its parent. Resolves with the exit code; `hear` gets its output. */
  runOther(file: string, words: readonly string[], folder: string, hear: (text: string) => void): Promise<number>;
  /** Ends all children and waits for them. No more are started. */
  end(): Promise<void>;
}

/** A child that has not ended within this time is killed; a pull first writes and publishes what it has received. */
const patience_ms = 3000;
/** A killed process does nothing more, but on a busy machine it may take long to disappear; it is not waited for longer. */
const exit_ms = 300;
const failed = 1;

export function createChildren(): Children {
  const living = new Set<ChildProcess>();
  let is_ending = false;
  const start = (file: string, words: readonly string[], options: ForkOptions): ChildProcess => {
    const child = fork(file, [...words], options);
    living.add(child);
    for (const event of ['exit', 'error'] as const) child.on(event, () => living.delete(child));
    return child;
  };
  return {
    get is_ending() {
      return is_ending;
    },
    async run(command, hear, order) {
      if (is_ending) return failed;
      const own = processOf(command[0]) ?? { execArgv: [] };
      const child = start(program, command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...own });
      // Readers take precedence: a pull, and the embedded service it queries, use the remaining CPU time.
      giveWay(child);
      if (command[0] !== 'service') endsBeforePages(child, 'command');
      child.on('message', (message) => hear(message as Message));
      if (order) child.send(order);
      return endOf(child);
    },
    async runOther(file, words, folder, hear) {
      if (is_ending) return failed;
      const execArgv = ['--import', preload];
      const child = start(file, words, { cwd: folder, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => hear(part.toString()));
      return endOf(child);
    },
    async end() {
      is_ending = true;
      await Promise.all([...living].map(endChild));
    },
  };
}

/** As shells say it: 137 of one that the system killed, for want of memory perhaps. */
const killedBy = (signal: NodeJS.Signals | null): number =>
  signal === null ? failed : 128 + constants.signals[signal];

/** A process that could not be started (too many of them) has failed like any other. */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? killedBy(signal)));
    child.once('error', () => resolve(failed));
  });

async function endChild(child: ChildProcess): Promise<void> {
  const gone = new Promise<true>((resolve) => child.once('exit', () => resolve(true)));
  child.kill('SIGTERM');
  const isGone = await Promise.race([gone, pause(patience_ms, false, { ref: false })]);
  if (isGone || child.pid === undefined) return;
  killTree(child.pid);
  await Promise.race([gone, pause(exit_ms)]);
}
