// Browser journeys against the real product, started fresh by this file; see test/journeys.
import { defineConfig } from '@playwright/test';
import { rmSync } from 'node:fs';
import { chromium, launchArguments } from './test/journeys/chromium.ts';

const DATA = 'test-results/journey-data';

/** These write to the product that all journeys share: nothing that reads it runs beside them, and they run one after the other. */
const writing = /(boards|business-hours|digests|user-data|operations|settings|targets|tasks|variables)\.spec\.ts$/;

// The configuration is read again by every worker; only the first reading may clear the folder.
if (process.env['TEST_WORKER_INDEX'] === undefined) rmSync(DATA, { recursive: true, force: true });

export default defineConfig({
  testDir: 'test/journeys',
  outputDir: 'test-results/journeys',
  workers: 2,
  projects: [
    // Those that write run after the others, also when one of these failed: what depends on a project that failed would be left out.
    { name: 'side by side', testIgnore: writing, teardown: 'writing' },
    { name: 'writing', testMatch: writing, workers: 1 },
  ],
  // Other work on the machine must not fail a journey: limits are for what does not come to an end.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  webServer: {
    command: 'node src/server/chatledger.js start',
    env: {
      CHATLEDGER_DATA: DATA,
      CHATLEDGER_PORT: '3310',
      CHATLEDGER_SERVICE_PORT: '4310',
      CHATLEDGER_SERVICE_DAYS: '21',
      // Numbers stand still while they are read: only a journey that asks for a pull gets one.
      CHATLEDGER_PULL_CRON: '0 0 29 2 *',
    },
    url: 'http://127.0.0.1:3310/api/health',
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGINT', timeout: 15_000 },
  },
  use: {
    baseURL: 'http://127.0.0.1:3310',
    locale: 'en-GB',
    actionTimeout: 180_000,
    launchOptions: { executablePath: await chromium(), args: launchArguments },
  },
});
