// Docs say what is: every setting, command, metric and table of the program is in the generated or written docs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { columnsPage, metricsPage, servicePage, settingsPage } from '../../src/server/docs-pages.ts';
import { settingNames } from '../../src/server/settings.ts';
import { commandLine } from '../../src/server/promised.ts';
import { sourceFiles, trackedFiles } from './tree.ts';

test('docs/settings.md is what the settings say (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsPage());
  for (const name of settingNames) expect(settingsPage()).toContain(name);
});

test('docs/metrics.md is what the metrics say (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/metrics.md', 'utf8')).toBe(metricsPage());
});

test('docs/columns.md is what the tables say (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/columns.md', 'utf8')).toBe(columnsPage());
});

test('docs/service.md is what the contract of the service says (npm run docs makes it anew)', () => {
  expect(readFileSync('docs/service.md', 'utf8')).toBe(servicePage());
});

test('the README names every command', () => {
  const readme = readFileSync('README.md', 'utf8');
  const program = commandLine();
  const commands = [...program.matchAll(/\.command\('([a-z-]+)'\)/g)].map(([, name]) => name ?? '');
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => !readme.includes(`chatledger ${name}`))).toEqual([]);
});

test('whatever document a file names is in the tree', () => {
  const cited = sourceFiles().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w./*-])((?:docs\/)?[\w./-]*\w\.md)\b/g)].map(([, name = '']) => [
      file,
      name,
    ]),
  );
  expect(cited.length).toBeGreaterThan(5);
  const isThere = (name: string): boolean => existsSync(name) || existsSync(join('docs', name));
  expect(cited.filter(([, name = '']) => !isThere(name))).toEqual([]);
});

/** Addresses of headings, as repositories show them: in small letters, without punctuation, with a dash for each blank. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link of a document leads to a file and a heading that are there', () => {
  const links = trackedFiles()
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, path = '', heading]) => ({ file, to: path === '' ? file : join(dirname(file), path), heading }),
      ),
    );
  expect(links.length).toBeGreaterThan(100);
  const isDead = ({ to, heading }: (typeof links)[number]): boolean =>
    !existsSync(to) || (heading !== undefined && !anchorsOf(to).includes(heading));
  expect(links.filter(isDead)).toEqual([]);
});
