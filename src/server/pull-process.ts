// The kind of process in which many chats are loaded: it lets go of what it does not need.
import { writerEnvironment } from '#warehouse/engines/environment.ts';
import { environmentWith } from './config.ts';

/**
 * Most of what a pull allocates is let go at once. With room for everything the collector lets garbage pile up to
 * hundreds of megabytes; with these flags it stays flat, for a few percent of CPU. Likewise the C library, whose arenas
 * would each keep what their thread let go.
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

/**
 * A command of the command line begins again as such a process, in its own place and with its own number; then this does
 * not return. Where a process cannot replace itself (Windows) it goes on as it is.
 */
export function beginAsPull(): void {
  const { execArgv, env } = pullProcess;
  if (!process.execve || execArgv.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(process.execPath, [process.execPath, ...execArgv, ...process.argv.slice(1)], env);
}
