import './src/server/compile-cache.js';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { handOn } from './src/server/environment.ts';
import { readerEnvironment } from './warehouse/engines/environment.ts';

const tests = ['test/**/*.test.ts'];
const journeys = ['test/journeys/**'];
/** They start servers and processes, measure memory, or count what has not been made before. */
const alone = ['test/server/**/*.test.ts', 'test/etl/memory.test.ts', 'test/dashboards/bounds.test.ts'];

// Tests ask many small questions, as readers do: without this a tenth of their processor time goes into taking memory anew.
for (const [name, value] of Object.entries(readerEnvironment)) handOn(name, value);

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'test/scratch.ts',
    // Tests run as the program does, and properties make the same tries each time.
    setupFiles: ['src/server/without-proto.ts', 'test/chance.ts'],
    // Other work on the machine must not fail a test: what takes so long does not come to an end.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Many wait for processes and for time to pass: one more than there are processors keeps these busy.
    maxWorkers: availableParallelism() + 1,
    // Node loads modules as it does for the program. All tests take as long with Vite, a file alone a fifth longer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      // Most change nothing that their modules hold: files of one worker share them, and each is not loaded 200 times.
      { extends: true, test: { name: 'sharing', isolate: false, include: tests, exclude: [...journeys, ...alone] } },
      { extends: true, test: { name: 'alone', include: alone, setupFiles: ['test/scratch-of-file.ts'] } },
    ],
  },
});
