// Caches compiled code between starts, next to the installed packages: whoever can write there can change the program anyway.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { handOn } from './environment.ts';

const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');

// A folder that cannot be written is no harm: everything is compiled anew.
enableCompileCache(folder);
// Processes that this one starts have it from their first file on, and need not load what removes types.
handOn('NODE_COMPILE_CACHE', folder);
