import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/journeys/**'],
    globalSetup: 'test/scratch.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
