// Turns a packed snapshot into a self-contained file, as it was published, with its views and comments.
import { readFile } from 'node:fs/promises';
import type { Store } from '../../engine.ts';
import { open } from '../../engines/default.ts';
import { writerLimits } from '../open.ts';
import { remove } from '../swap.ts';
import { partOf, readCatalogue } from './catalogue.ts';
import { checkParts } from './open.ts';

/**
 * `to` must not exist. Returns the views that cannot be recreated: program versions before packing wrote some that the engine cannot
 * parse. Errors: DamagedWarehouse if a part is missing or has changed; BlockedWarehouse.
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
const isComment = (statement: string): boolean => /^comment on/i.test(statement);

/**
 * Returns the views that cannot be recreated. Tables and comments each share a transaction, since every single one would be flushed to
 * disk.
 */
export async function describe(engine: Store, description: readonly string[]): Promise<string[]> {
  const views = description.filter((statement) => viewName.test(statement));
  await together(
    engine,
    description.filter((statement) => !viewName.test(statement) && !isComment(statement)),
  );
  const omitted: string[] = [];
  for (const statement of views) {
    try {
      await engine.exec(statement);
    } catch {
      omitted.push((viewName.exec(statement)?.[1] ?? '').replaceAll('"', ''));
    }
  }
  const ofOmitted = (statement: string): boolean => omitted.some((name) => statement.includes(quoted(name)));
  await together(
    engine,
    description.filter((statement) => isComment(statement) && !ofOmitted(statement)),
  );
  return omitted;
}

const together = (engine: Store, statements: readonly string[]): Promise<void> =>
  engine.transaction(async () => {
    if (statements.length > 0) await engine.exec(statements.map((one) => one.replace(/;\s*$/, '')).join(';\n'));
  });

const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
