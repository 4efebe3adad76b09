import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/journeys/**'],
    globalSetup: 'test/scratch.ts',
    // Tests run as the program does.
    setupFiles: ['src/server/without-proto.ts'],
    // No test changes what its modules hold: files of one worker share them, and each is not loaded 200 times.
    isolate: false,
    // Other work on the machine must not fail a test: what takes so long does not come to an end.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Many wait for processes and for time to pass: one more than there are processors keeps these busy.
    maxWorkers: availableParallelism() + 1,
  },
});
