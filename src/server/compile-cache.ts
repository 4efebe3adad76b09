// Caches compiled code between starts, next to the installed packages: whoever can write there can change the program anyway.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// A folder that cannot be written is no harm: everything is compiled anew.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'));
