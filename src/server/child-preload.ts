// Preloaded into child processes that run other programs: they end with their parent, and their files may be read by others.
import { isMainThread } from 'node:worker_threads';
import { endWithParent } from './ipc.ts';

// Threads of that program load this too.
if (isMainThread) {
  endWithParent();
  // The pages are part of the program, not of the data.
  process.umask(0o022);
}
