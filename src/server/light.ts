// Gives a command that loads many chats the kind of process that a pull of `start` gets: this program again, in its own place.
import { pullProcess } from './children.ts';

/** Does not return when the process has to begin again; on systems where one cannot replace itself it goes on as it is. */
export function beginAsPull(): void {
  const { execArgv, env } = pullProcess;
  if (!process.execve || execArgv.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(process.execPath, [process.execPath, ...execArgv, ...process.argv.slice(1)], env);
}
