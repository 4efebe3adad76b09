// Makes a file of a packed snapshot that needs nothing beside it: what was published, with its views and comments.
import { readFile } from 'node:fs/promises';
import type { Store } from '../../engine.ts';
import { open } from '../../engines/default.ts';
import { writerLimits } from '../open.ts';
import { remove } from '../swap.ts';
import { partOf, readCatalogue } from './catalogue.ts';
import { checkParts } from './open.ts';

/**
 * `to` must not exist. Returns the views that cannot be made again: versions of the program before packing wrote some that the
 * engine does not read back. Errors: DamagedWarehouse when a part is gone or not what it was; BlockedWarehouse.
 */
export async function unpack(file: string, to: string): Promise<string[]> {
  const catalogue = await readCatalogue(file);
  await checkParts(file, catalogue);
  const description = JSON.parse(await readFile(partOf(file, catalogue.description.file), 'utf8')) as string[];
  const engine = await open(to, writerLimits);
  try {
    const omitted = await describe(engine, description);
    for (const { schema, name, columns, parts } of catalogue.tables) {
      const files = parts.map((part) => partOf(file, part.file));
      await engine.exec(`insert into "${schema}"."${name}" ${engine.dialect.rowsOf(columns, files)}`);
    }
    await engine.checkpoint();
    await engine.close();
    return omitted;
  } catch (error) {
    await engine.close();
    await remove(to);
    throw error;
  }
}

const viewName = /^create view (\w+\."?\w+"?)/i;

/** Returns the views that cannot be made again. */
export async function describe(engine: Store, description: readonly string[]): Promise<string[]> {
  const omitted: string[] = [];
  for (const statement of description) {
    const [, view] = viewName.exec(statement) ?? [];
    const ofOmitted = omitted.some((name) => statement.startsWith('comment on') && statement.includes(quoted(name)));
    if (ofOmitted) continue;
    try {
      await engine.exec(statement);
    } catch (error) {
      if (view === undefined) throw error;
      omitted.push(view.replaceAll('"', ''));
    }
  }
  return omitted;
}

const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
