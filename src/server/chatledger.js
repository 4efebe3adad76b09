#!/usr/bin/env node
// The program as it is called: `chatledger.ts`, which begins in half the time once the cache of compiled code is there.
import './compile-cache.js';

await import('./chatledger.ts');
