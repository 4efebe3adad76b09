// Caches compiled code between starts, next to the installed packages: whoever can write there can change the program anyway. JavaScript:
// of what is loaded after it the cache holds what is left without types, and what removes types takes as long to load as all the rest.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');

// A folder that cannot be written is no harm: everything is compiled anew.
enableCompileCache(folder);
// Processes that this one starts have it from their first file on.
const { handOn } = await import('./environment.ts');
handOn('NODE_COMPILE_CACHE', folder);
