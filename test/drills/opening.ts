// Opens a data folder as the product does and says what is in it: `node opening.ts FOLDER warehouse|raw|snapshot`.
import { openFolder } from '#server/folder.ts';
import { openSnapshots } from '#server/snapshots.ts';
import { withWriter } from '#server/writer.ts';
import type { Queryable } from '#warehouse/engine.ts';
import { rawTables, tables, type Table } from '#warehouse/tables/tables.ts';

/** What came of it; without an error there is content. */
export interface Said {
  /** What the program said on its own. */
  words: string;
  error?: string;
  /** Rows and their hash by table. */
  content?: Record<string, string>;
}

/** What the answers of the source say; what a pull cost and how often it ran is not among them. */
const kept = tables.filter(({ schema, name }) => schema !== 'ledger' || name === 'periods');
const costs = new Set(['attempts', 'bytes', 'milliseconds']);

async function contentOf(engine: Queryable, of: readonly Table[], prefix = ''): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const { schema, name, columns } of of) {
    const listed = Object.keys(columns)
      .filter((column) => !costs.has(column))
      .map((column) => `"${column}"`);
    const [row] = await engine.query(
      `select count(*) as rows, cast(bit_xor(hash(${listed.join(', ')})) as varchar) as sum from ${schema}.${name}`,
    );
    content[`${prefix}${schema}.${name}`] = `${row?.rows} ${row?.sum}`;
  }
  return content;
}

const [path = '', what] = process.argv.slice(2);
let words = '';
process.stderr.write = ((text: string) => Boolean((words += text))) as typeof process.stderr.write;

async function open(): Promise<Record<string, string>> {
  const folder = openFolder(path);
  if (what !== 'snapshot')
    return withWriter(folder, async ({ engine, archive }) => ({
      ...(await contentOf(engine, kept)),
      ...(what === 'raw' ? await contentOf(archive.engine, rawTables) : {}),
    }));
  const snapshots = openSnapshots(folder.published, () => new Map());
  try {
    await snapshots.refresh();
    const served = snapshots.current();
    if (!served?.whole) throw new Error('no snapshot is served');
    return await contentOf(served.whole, kept, 'snapshot.');
  } finally {
    await snapshots.close();
  }
}

const said: Said = await open().then(
  (content) => ({ words, content }),
  (error: Error) => ({ words, error: `${error.name}: ${error.message}` }),
);
process.send?.(said);
process.disconnect?.();
