// ClickHouse in a process of its own: one statement at a time, as its parent sends them. Arguments: the entry of the package and a folder.
import { pathToFileURL } from 'node:url';

/** A statement and its parameters; the answer has the format that the statement names. */
export interface PeerStatement {
  sql: string;
  params: Record<string, string>;
}

export type PeerAnswer = { bytes: Uint8Array } | { error: string };

interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>;
  queryBindAsync(sql: string, params: object, options: { format: string }): Promise<{ bytes(): Uint8Array }>;
}

const [entry = '', folder = ''] = process.argv.slice(2);
const { Session: Opened } = (await import(pathToFileURL(entry).href)) as { Session: new (path: string) => Session };
const session = new Opened(folder);

const asked = ({ sql, params }: PeerStatement): Promise<{ bytes(): Uint8Array }> =>
  Object.keys(params).length > 0
    ? session.queryBindAsync(sql, params, { format: 'Null' })
    : session.queryAsync(sql, { format: 'Null' });

process.on('message', (statement: PeerStatement) => {
  void answerTo(statement).then((answer) => process.send?.(answer));
});

async function answerTo(statement: PeerStatement): Promise<PeerAnswer> {
  try {
    return { bytes: (await asked(statement)).bytes() };
  } catch (error) {
    // TRICKY: rows of a failed statement come before those of the next one.
    await session.queryAsync('select 1', { format: 'Null' }).catch(() => undefined);
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
process.send?.('ready');
