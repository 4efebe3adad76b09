// Docs say what is: every setting, command, metric and table of the program is in the generated or written docs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metricsPage, settingsPage } from '../../src/server/docs-pages.ts';
import { settingNames } from '../../src/server/settings.ts';

test('docs/settings.md is what the settings say (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsPage());
  for (const name of settingNames) expect(settingsPage()).toContain(name);
});

test('docs/metrics.md is what the metrics say (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/metrics.md', 'utf8')).toBe(metricsPage());
});

test('the README names every command', () => {
  const readme = readFileSync('README.md', 'utf8');
  const program = readFileSync('src/server/chatledger.ts', 'utf8');
  const commands = [...program.matchAll(/\.command\('([a-z-]+)'\)/g)].map(([, name]) => name ?? '');
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => !readme.includes(`chatledger ${name}`))).toEqual([]);
});
