#!/usr/bin/env node
// The program. Its modules are loaded after this one has run: what the cache holds of them need not be compiled, nor its types removed.
import './without-proto.ts';
import './compile-cache.js';

await import('./command-line/program.ts');
