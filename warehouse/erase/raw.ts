// The raw archive during an erasure: records that may concern a person, the pages that list them, and the rewritten file.
import type { Copy, Engine, Queryable, Row, Store } from '../engine.ts';
import { createTable } from '../store/migrate.ts';
import { rawAbout, rawBodies, rawChats, rawResponses, rawTables, type Table } from '../tables/tables.ts';
import { changedBodies, changedPeriods, nameIn } from './changed.ts';
import { ofChats, type ErasedId } from './selection.ts';

const ofArchives = "source in ('archive', 'archive_v3')";

const listed = ({ dialect }: Queryable, values: Iterable<string>): string =>
  [...values].map((value) => dialect.literal(value, 'text')).join(', ');

const holds = ({ dialect }: Queryable, words: readonly string[]): string =>
  words.map((word) => `position(${dialect.literal(word.toLowerCase(), 'text')} in lower(body)) > 0`).join(' or ') ||
  '1 = 0';

/** Whole rows of records of these chats, and of those with one of the words in them. */
export const recordsHolding = (
  archive: Engine,
  chats: readonly ErasedId[],
  words: readonly string[],
): AsyncGenerator<Row[]> =>
  archive.queryInPieces(
    `select account, period, chat_id, hash, body, received_at, pull_id
     from raw.chats
     where ${ofChats(archive.dialect, chats)}
       or ${holds(archive, words)}`,
  );

/** `hash`, `body` of the pages that were received of a local day. */
export const pagesOf = (archive: Queryable, account: string, period: string): Promise<Row[]> => {
  const { param } = archive.dialect;
  return archive.query(
    `select hash, body
     from raw.bodies
     where form = 'page'
       and hash in (
         select hash
         from raw.responses
         where account = ${param('account', 'text')}
           and period = ${param('period', 'text')}
           and ${ofArchives}
       )`,
    { account, period },
  );
};

/** `hash`, `body`, `account` of answers of an archive that are no pages and hold one of the words. */
export const othersHolding = (archive: Queryable, words: readonly string[]): Promise<Row[]> =>
  archive.query(
    `select distinct b.hash, b.body, r.account
     from raw.bodies as b
     join raw.responses as r on r.hash = b.hash and ${ofArchives}
     where b.form = 'whole'
       and (${holds(archive, words)})`,
  );

/** The UTC day on which a local day of the archive was received last. */
export async function lastReceived(archive: Queryable, account: string, period: string): Promise<string | undefined> {
  const { param } = archive.dialect;
  const [found] = await archive.query(
    `select max(received_on) as day
     from raw.responses
     where account = ${param('account', 'text')}
       and period = ${param('period', 'text')}
       and source = 'archive'
       and state <> 'unfinished'`,
    { account, period },
  );
  return found?.day == null ? undefined : String(found.day);
}

/** Of these hashes of bodies, or records of an account and local day, the existing ones. */
export async function recordsHeld(
  archive: Queryable,
  account: string,
  period: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const { param } = archive.dialect;
  const rows = await archive.query(
    `select hash
     from raw.chats
     where account = ${param('account', 'text')}
       and period = ${param('period', 'text')}
       and hash in (${listed(archive, hashes)})`,
    { account, period },
  );
  return new Set(rows.map(({ hash }) => String(hash)));
}

/** What is removed from the file, and the new hashes of bodies. */
interface Left {
  chats: readonly { account: string; period: string; hash: string }[];
  /** Keyed by the old hash. */
  bodies: ReadonlyMap<string, string>;
}

/** Writes all but what leaves to a file that must not exist; what takes its place is loaded into that one. */
export function writeWithout(archive: Store, file: string, { chats, bodies }: Left): Promise<void> {
  const { literal } = archive.dialect;
  const gone = [...Map.groupBy(chats, ({ account, period }) => JSON.stringify([account, period]))].map(([, own]) => {
    const { account = '', period = '' } = own[0] ?? {};
    const hashes = listed(
      archive,
      own.map(({ hash }) => hash),
    );
    return `account = ${literal(account, 'text')} and period = ${literal(period, 'text')} and hash in (${hashes})`;
  });
  const oldBodies = listed(archive, bodies.keys());
  const newHash = [...bodies].map(([from, to]) => `when ${literal(from, 'text')} then ${literal(to, 'text')}`);
  const which: Readonly<Record<string, string>> = {
    chats: gone.length > 0 ? ` where not (${gone.join(' or ')})` : '',
    bodies: bodies.size > 0 ? ` where hash not in (${oldBodies})` : '',
  };
  return archive.withRoom(() =>
    archive.fill(file, async (copy) => {
      await copy.inside(
        rawTables.flatMap((table) => [
          `create schema if not exists ${table.schema}`,
          createTable(table, archive.dialect),
        ]),
      );
      for (const { schema, name, columns } of rawTables) {
        const values = Object.keys(columns).map((column) =>
          name === 'responses' && column === 'hash' && newHash.length > 0
            ? `case hash ${newHash.join(' ')} else hash end`
            : `"${column}"`,
        );
        await copy.exec(
          `insert into ${copy.name}.${schema}.${name} select ${values.join(', ')} from ${schema}.${name}${which[name] ?? ''}`,
        );
      }
    }),
  );
}

/** Local days: `from` is null for no lower limit, `before` is exclusive. */
export interface AskedDays {
  from: string | null;
  before: string;
}

const within = ({ dialect }: Queryable, { from, before }: AskedDays, column = 'period'): string =>
  `${from === null ? '' : `${column} >= ${dialect.literal(from, 'text')} and `}${column} < ${dialect.literal(before, 'text')}`;

/** `account` and `period` of the local days with records, oldest first for each account. */
export const periodsWithin = (archive: Queryable, days: AskedDays): Promise<Row[]> =>
  archive.query(
    `select distinct account, period from raw.chats where ${within(archive, days)} order by account, period`,
  );

/** Whether an archive was asked about one of these local days. */
export async function hasAsked(archive: Queryable, days: AskedDays): Promise<boolean> {
  const rows = await archive.query(
    `select 1 as one from raw.responses where ${ofArchives} and ${within(archive, days)} limit 1`,
  );
  return rows.length > 0;
}

/** Whole rows of the records under a local day. */
export const recordsUnder = (archive: Engine, account: string, period: string): AsyncGenerator<Row[]> => {
  const { param } = archive.dialect;
  return archive.queryInPieces(
    `select account, period, chat_id, hash, body, received_at, pull_id
     from raw.chats
     where account = ${param('account', 'text')}
       and period = ${param('period', 'text')}
     order by received_at, hash`,
    { account, period },
  );
};

/** `hash`, `body`, `account`, `period` of answers of an archive that are no pages. */
export const othersWithin = (archive: Engine, days: AskedDays): AsyncGenerator<Row[]> =>
  archive.queryInPieces(
    `select distinct b.hash, b.body, r.account, r.period
     from raw.bodies as b
     join raw.responses as r on r.hash = b.hash and ${ofArchives}
     where b.form = 'whole'
       and ${within(archive, days, 'r.period')}`,
  );

/** Writes the archive anew to a file that must not exist. `changed`: a file with the tables of changed.ts. */
export function writeByTables(archive: Store, file: string, changed: string): Promise<void> {
  const columnsOf = ({ columns }: Table): string[] => Object.keys(columns).map((column) => `"${column}"`);
  const write = async (copy: Copy, beside: string): Promise<void> => {
    await copy.inside(
      rawTables.flatMap((table) => [
        `create schema if not exists ${table.schema}`,
        createTable(table, archive.dialect),
      ]),
    );
    const [periods, bodies] = [nameIn(beside, changedPeriods), nameIn(beside, changedBodies)];
    const fill = (table: Table, select: string): Promise<void> =>
      copy.exec(`insert into ${copy.name}.${table.schema}.${table.name} ${select}`);
    const chats = columnsOf(rawChats).join(', ');
    await fill(
      rawChats,
      `select ${chats} from raw.chats as c
       where not exists (select 1 from ${periods} as p where p.account = c.account and p.period = c.period)`,
    );
    await fill(rawChats, `select ${chats} from ${nameIn(beside, rawChats)}`);
    await fill(
      rawBodies,
      `select ${columnsOf(rawBodies).join(', ')} from raw.bodies where hash not in (select before from ${bodies})`,
    );
    await fill(
      rawBodies,
      `select hash, min(form), min(body) from ${bodies}
       where hash not in (select hash from ${copy.name}.${rawBodies.schema}.${rawBodies.name}) group by hash`,
    );
    const responses = columnsOf(rawResponses).map((column) =>
      column === '"hash"'
        ? `coalesce((select min(b.hash) from ${bodies} as b where b.before = r.hash), r.hash)`
        : column,
    );
    await fill(rawResponses, `select ${responses.join(', ')} from raw.responses as r`);
    await fill(rawAbout, `select ${columnsOf(rawAbout).join(', ')} from raw.versions`);
  };
  return archive.withRoom(() => archive.beside(changed, (beside) => archive.fill(file, (copy) => write(copy, beside))));
}
