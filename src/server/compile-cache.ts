// Compiled programs are kept between starts, beside the installed packages: whoever may write there may change the program anyway.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');

// A folder that cannot be written is no harm: everything is compiled anew.
enableCompileCache(folder);
// Children find it before their first file, so that they need no compiler at all.
process.env.NODE_COMPILE_CACHE ??= folder;
