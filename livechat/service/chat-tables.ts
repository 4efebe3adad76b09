// Chats with their texts as SQLite tables: a row that lists and reports search, and the whole record under the same number.
import type { DatabaseSync } from 'node:sqlite';
import type { FileReader } from './file-reader.ts';
import { lightOf, type LightChat } from './light.ts';
import { openEnded, type ChatRecord } from './records.ts';
import { createSnapshots } from './snapshots.ts';
import { inTransaction } from './transaction.ts';
import { createVisits, type Visit } from './visits.ts';

export interface PlaceFilter {
  city?: string | undefined;
  region?: string | undefined;
  country?: string | undefined;
}

/** Bodies as they were at an instant. */
export type StoredBodies = ReturnType<ReturnType<typeof createChatTables>['bodiesAsNow']>;

const tables = `
  create table if not exists chats (
    number integer primary key, id text not null, started integer not null, ended integer not null,
    visitor_id text not null, city text not null, region text not null, country text not null, light text not null,
    agent_last integer, customer_last integer
  );
  create index if not exists chats_of_visitor on chats (visitor_id, started);
  create index if not exists chats_by_id on chats (id);
  create index if not exists chats_open on chats (number) where ended = ${openEnded};
  create table if not exists bodies (number integer primary key, body text not null);
`;

/** A file of an older version, which knew no customers. */
function lacksLastLines(sqlite: DatabaseSync): boolean {
  const columns = sqlite
    .prepare("select name from pragma_table_info('chats')")
    .all()
    .map(({ name }) => name);
  return columns.length > 0 && !columns.includes('agent_last');
}

/** Instants of the last lines of each side, null without any. */
function lastLines({ events }: ChatRecord): Record<'agent_last' | 'customer_last', number | null> {
  const latest = (user_type: string): number | null => {
    const instants = events.flatMap((each) => (each.type !== 'event' && each.user_type === user_type ? each.at : []));
    return instants.length > 0 ? Math.max(...instants) : null;
  };
  return { agent_last: latest('agent'), customer_last: latest('visitor') };
}

/** Bodies that are kept as they were read, and their characters. */
const most_shared = 100;
const longest_shared = 20_000;

const containing = "select 1 from bodies where number = ? and body like '%' || ? || '%'";

/** Statements on the chats of the file. */
export function createChatTables(sqlite: DatabaseSync, reader: FileReader) {
  const is_older = lacksLastLines(sqlite);
  if (is_older)
    sqlite.exec('alter table chats add column agent_last integer; alter table chats add column customer_last integer');
  sqlite.exec(tables);
  if (is_older) fillLastLines();
  const put = {
    chat: sqlite.prepare(
      'insert into chats (number, id, started, ended, visitor_id, city, region, country, light, agent_last, customer_last)' +
        ' values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    body: sqlite.prepare('insert into bodies (number, body) values (?, ?)'),
    /** Changes of when it began or ended write the indexes too. */
    changed: sqlite.prepare(
      'update chats set light = ?, agent_last = ?, customer_last = ? where number = ? and started = ? and ended = ?',
    ),
    moved: sqlite.prepare(
      'update chats set light = ?, agent_last = ?, customer_last = ?, started = ?, ended = ? where number = ?',
    ),
    changedBody: sqlite.prepare('update bodies set body = ? where number = ?'),
  };
  const bodyOf = sqlite.prepare('select body from bodies where number = ?');
  const textOf = (number: number): string => String(bodyOf.get(number)?.body);
  const ofVisitor = sqlite.prepare('select number from chats where visitor_id = ?');
  const snapshots = createSnapshots(textOf);
  const visits = createVisits(
    sqlite.prepare('select id, started, ended from chats where visitor_id = ? order by started, id'),
  );
  const shared = new Map<number, ChatRecord>();
  let last = Number(sqlite.prepare('select coalesce(max(number), 0) as last from bodies').get()?.last);

  function fillLastLines(): void {
    const fill = sqlite.prepare('update chats set agent_last = ?, customer_last = ? where number = ?');
    inTransaction(sqlite, () => {
      for (const row of sqlite.prepare('select number, body from bodies').all()) {
        const { agent_last, customer_last } = lastLines(JSON.parse(String(row.body)) as ChatRecord);
        fill.run(agent_last, customer_last, Number(row.number));
      }
    });
  }

  return {
    /** Whether the file was one of a version that knew no customers. */
    is_older,
    /** Of the newest chat; 0 without any. */
    lastNumber: (): number => last,
    /** After a transaction that was rolled back: the number that was the last before it. */
    forgetAfter(number: number): void {
      visits.forgetAll();
      shared.clear();
      last = number;
    },
    /** Writes a new chat; returns the indexed form. */
    add(chat: ChatRecord): LightChat {
      const number = ++last;
      const light = lightOf(chat, number);
      const { id, city, region, country } = chat.visitor;
      const { agent_last, customer_last } = lastLines(chat);
      put.chat.run(
        ...[number, chat.id, chat.started, chat.ended, id, city, region, country, JSON.stringify(light)],
        ...[agent_last, customer_last],
      );
      put.body.run(number, JSON.stringify(chat));
      visits.forget(id);
      return light;
    },
    /** Replaces a chat under its number; returns the indexed form. */
    change(number: number, chat: ChatRecord): LightChat {
      snapshots.keep(number);
      const light = lightOf(chat, number);
      const { agent_last, customer_last } = lastLines(chat);
      const { started, ended } = chat;
      const values = [JSON.stringify(light), agent_last, customer_last];
      const { changes } = put.changed.run(...values, number, started, ended);
      if (changes === 0) put.moved.run(...values, started, ended, number);
      put.changedBody.run(JSON.stringify(chat), number);
      shared.delete(number);
      visits.forget(chat.visitor.id);
      return light;
    },
    *light(): Generator<LightChat> {
      for (const row of sqlite.prepare('select light from chats order by number').iterate()) {
        yield JSON.parse(String(row.light)) as LightChat;
      }
    },
    body(number: number): ChatRecord {
      return JSON.parse(textOf(number)) as ChatRecord;
    },
    /** The same for whoever only reads it: many ask for it. */
    sharedBody(number: number): ChatRecord {
      const had = shared.get(number);
      if (had) return had;
      const text = textOf(number);
      const body = JSON.parse(text) as ChatRecord;
      if (shared.size >= most_shared) shared.clear();
      if (text.length <= longest_shared) shared.set(number, body);
      return body;
    },
    /** Every chat of a visitor in order, those ahead of the clock too. */
    visitsOf: (visitor_id: string): readonly Visit[] => visits.of(visitor_id),
    /** Numbers of a visitor's chats. */
    numbersOf: (visitor_id: string): number[] => ofVisitor.all(visitor_id).map(({ number }) => Number(number)),
    /** Those of the chats whose visitors are from there; places are compared without regard to ASCII case. */
    from(filter: PlaceFilter, numbers: Uint32Array): Promise<Uint32Array> {
      const asked = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const fits = asked.map(([column]) => ` and ${column} = ? collate nocase`).join('');
      const sql = `select 1 from chats where number = ?${fits}`;
      return reader.passing({ sql, values: asked.map(([, value]) => value) }, numbers);
    },
    /** Every body. */
    *bodies(): Generator<ChatRecord> {
      for (const row of sqlite.prepare('select body from bodies order by number').iterate())
        yield JSON.parse(String(row.body)) as ChatRecord;
    },
    /** Reads bodies as they are now, also once chats have changed; end it. */
    bodiesAsNow() {
      const snapshot = snapshots.begin();
      return {
        of: (number: number): ChatRecord => JSON.parse(snapshot.of(number)) as ChatRecord,
        /**
         * Those of the chats whose bodies contain `part` (ASCII letters and digits only) in any case, wherever it is; who reads these
         * bodies then waits for no disk.
         */
        async containing(part: string, numbers: Uint32Array): Promise<Uint32Array> {
          const found = new Set(await reader.passing({ sql: containing, values: [part] }, numbers));
          const isIn = (number: number): boolean => snapshot.of(number).toLowerCase().includes(part.toLowerCase());
          return numbers.filter((number) => (snapshot.isReplaced(number) ? isIn(number) : found.has(number)));
        },
        end: snapshot.end,
      };
    },
  };
}
