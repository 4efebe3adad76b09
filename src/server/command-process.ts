// Processes of commands that would take more memory than they need: those that load many chats, the embedded service, and the web server.
import { readerEnvironment, writerEnvironment } from '#warehouse/engines/environment.ts';
import { environmentWith } from './environment.ts';

/**
 * Most of a pull's allocations are short-lived. With ample memory the collector lets garbage grow to hundreds of megabytes; with these
 * flags it stays flat. Marking what lives begins at the heap's first size, not after every second batch of pages. The same applies to the
 * C library, whose arenas would keep the freed memory of their threads; giving back blocks of less than a megabyte at once costs a tenth
 * of a load.
 */
export const pullProcess = {
  execArgv: ['--max-semi-space-size=16', '--max-old-space-size=512', '--initial-heap-size=128'],
  env: environmentWith({
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    MALLOC_TRIM_THRESHOLD_: '8388608',
    ...writerEnvironment,
  }),
};

/**
 * Requests leave garbage of which the collector would let 130 MB gather; with this it is a tenth of that, for no more CPU, and its pauses are
 * shorter. The heap grows to one and a half times what lives, which is 20 MB less after many requests. Columns of all chats are copied as
 * they grow: the C library gives back what they took before, where it would keep it for others.
 */
const serviceProcess = {
  execArgv: ['--max-semi-space-size=4', '--heap-growing-percent=50'],
  env: environmentWith({
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '1048576',
  }),
};

/**
 * Of pages made and answered by eight clients, half a gigabyte was garbage that the collector saw no reason to look for. Letting the heap
 * grow to twice what lives costs up to a tenth more processor time, and the process stays 200 MB smaller. Arenas of the C library keep
 * what their threads freed: with two of them, a file of a million chats takes less memory.
 */
const webProcess = {
  execArgv: ['--max-semi-space-size=8', '--heap-growing-percent=100'],
  env: environmentWith({ MALLOC_ARENA_MAX: '2', ...readerEnvironment }),
};

const pulls = ['pull', 'rebuild', 'backup', 'erase', 'retain'];

/** How the process of a command is to be started; undefined for one like any other. */
export function processOf(command: string | undefined): typeof pullProcess | undefined {
  if (command === 'service') return serviceProcess;
  if (command === 'start' || command === 'serve') return webProcess;
  return command !== undefined && pulls.includes(command) ? pullProcess : undefined;
}

/**
 * Restarts a command as such a process, in place and with the same id; it does not return then. Where a process cannot replace itself
 * (Windows), it continues as it is.
 */
export function beginAs({ execArgv, env }: typeof pullProcess): void {
  if (!process.execve || execArgv.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(process.execPath, [process.execPath, ...execArgv, ...process.argv.slice(1)], env);
}
