// Loaded into a child that is another program: it ends with its parent, and what it makes may be read by others.
import { isMainThread } from 'node:worker_threads';
import { endWithParent } from './ipc.ts';

// Threads of that program load this too.
if (isMainThread) {
  endWithParent();
  // The pages are part of the program, not of the data.
  process.umask(0o022);
}
