// The allowed imports between rooms, and what an import of a file leads to.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sourceFiles } from './tree.ts';

/** Room -> rooms it may import. A file belongs to the longest prefix listed here. */
export const arrows: Record<string, readonly string[]> = {
  'livechat/contract': [],
  network: [],
  'livechat/service': ['livechat/contract', 'network'],
  warehouse: [],
  etl: ['livechat/contract', 'network', 'warehouse'],
  'src/dashboards': [],
  'src/sharing': ['warehouse', 'src/dashboards'],
  'src/reports': ['livechat/contract', 'warehouse'],
  'src/auth': ['network', 'warehouse'],
  'src/digests': ['network', 'warehouse', 'src/reports', 'src/dashboards'],
  'src/api/contract': [
    'livechat/contract',
    'warehouse',
    'src/auth',
    'src/reports',
    'src/dashboards',
    'src/sharing',
    'src/digests',
  ],
  'src/api': [
    'src/api/contract',
    'livechat/contract',
    'network',
    'warehouse',
    'src/auth',
    'src/reports',
    'src/dashboards',
    'src/sharing',
    'src/digests',
  ],
  'src/app': ['src/dashboards', 'src/api/contract'],
  'src/server': [
    'livechat/contract',
    'livechat/service',
    'network',
    'warehouse',
    'etl',
    'src/api',
    'src/api/contract',
    'src/auth',
    'src/reports',
    'src/dashboards',
    'src/sharing',
    'src/digests',
  ],
};

const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> };

export const roomOf = (path: string): string | undefined =>
  Object.keys(arrows)
    .filter((room) => path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];

const specifiersIn = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier ?? '');

/** Every import, export-from and dynamic import of a file. */
export const specifiersOf = (file: string): string[] => specifiersIn(readFileSync(file, 'utf8'));

/** The same without those that are gone when the file runs: `import type` and `export type`. */
export const valueSpecifiersOf = (file: string): string[] =>
  specifiersIn(readFileSync(file, 'utf8').replaceAll(/\b(?:import|export) type\b[^;'"]*?from\s*['"][^'"]+['"]/g, ''));

/** The file in the tree that a specifier names, or nothing for a package. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier));
  const alias = Object.keys(imports).find((name) => specifier.startsWith(name.slice(0, -1)));
  return alias && normalize((imports[alias] ?? '').slice(0, -1) + specifier.slice(alias.length - 1));
}

export function forbiddenArrows(files: readonly string[] = sourceFiles()): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file);
    if (!room) return [];
    return specifiersOf(file).flatMap((specifier) => {
      const target = targetOf(file, specifier);
      const to = target && roomOf(target);
      return to && to !== room && !arrows[room]?.includes(to) ? [`${file} -> ${target}`] : [];
    });
  });
}
