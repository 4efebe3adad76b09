// What a release promises to keep: endpoints, settings, commands, tables and metrics. `npm run promised` writes it to docs/promised.json.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '#api/contract/contract.ts';
import type { Endpoint } from '#api/contract/endpoint.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { settingNames } from './settings.ts';

/** Each promise with what belongs to it, by kind. */
export type Promised = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The source of what declares the commands. */
export const commandLine = (): string =>
  globSync(join(import.meta.dirname, 'command-line', '*.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** The commands and their options, as the program declares them. */
function commandsIn(source: string): Record<string, string[]> {
  const parts = source.split(/\.command\('/).slice(1);
  return Object.fromEntries(
    parts.map((part) => [
      /^[a-z-]+/.exec(part)?.[0] ?? '',
      [...part.matchAll(/[oO]ption\('(--[a-z-]+)/g)].map(([, option = '']) => option),
    ]),
  );
}

/** What this program has. */
export function promisedNow(): Promised {
  const endpoints: readonly Endpoint[] = contract;
  return {
    api: Object.fromEntries(
      endpoints.map(({ method, path, query }) => [`${method.toUpperCase()} ${path}`, Object.keys(query?.shape ?? {})]),
    ),
    settings: Object.fromEntries(settingNames.map((name) => [name, []])),
    commands: commandsIn(commandLine()),
    tables: Object.fromEntries(
      tables.map(({ schema, name, columns }) => [
        `${schema}.${name}`,
        Object.entries(columns).map(([column, { type }]) => `${column} ${type}`),
      ]),
    ),
    metrics: Object.fromEntries(
      catalogue().map(({ id, measures, splits }) => [id, [...Object.keys(measures), ...splits]]),
    ),
  };
}

/** What of `before` is not there any more. */
export function missingSince(before: Promised, now: Promised): string[] {
  return Object.entries(before).flatMap(([kind, things]) =>
    Object.entries(things).flatMap(([name, parts]) => {
      const there = now[kind]?.[name];
      if (!there) return [`${kind}: ${name}`];
      return parts.filter((part) => !there.includes(part)).map((part) => `${kind}: ${name} ${part}`);
    }),
  );
}

if (import.meta.main) writeFileSync('docs/promised.json', `${JSON.stringify(promisedNow(), null, 2)}\n`);
