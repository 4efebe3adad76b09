// Environment of processes that load many chats: they release unneeded memory.
import { writerEnvironment } from '#warehouse/engines/environment.ts';
import { environmentWith } from './environment.ts';

/**
 * Most of a pull's allocations are short-lived. With ample memory the collector lets garbage grow to hundreds of megabytes; with these
 * flags it stays flat, for a few percent of CPU. The same applies to the C library, whose arenas would keep the freed memory of their
 * threads.
 */
export const pullProcess = {
  execArgv: ['--max-semi-space-size=4', '--max-old-space-size=512'],
  env: environmentWith({
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    ...writerEnvironment,
  }),
};

const commands = ['pull', 'rebuild', 'backup', 'erase', 'retain'];

/** Whether the command runs in such a process. */
export const isPull = (command: string | undefined): boolean => command !== undefined && commands.includes(command);

/**
 * Restarts a command as such a process, in place and with the same id; it does not return then. Where a process cannot replace itself
 * (Windows), it continues as it is.
 */
export function beginAsPull(): void {
  const { execArgv, env } = pullProcess;
  if (!process.execve || execArgv.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(process.execPath, [process.execPath, ...execArgv, ...process.argv.slice(1)], env);
}
