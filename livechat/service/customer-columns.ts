// What lists of customers ask about each of them, in memory and in order of creation, then id: twenty bytes a customer. Any combination of
// ranges and texts can be asked for, and what matches is counted: no index answers that.
import type { DatabaseSync } from 'node:sqlite';
import { createColumns, firstPlace } from './columns.ts';
import { createTextDigests } from './text-digests.ts';

/** What many customers have in common; a column holds its number. */
export interface CustomerKind {
  country: string;
  country_code: string;
  /** Of all threads that have begun. */
  groups: readonly number[];
  threads: number;
  has_chat: boolean;
}

interface Row {
  id: string;
  created: number;
  name: string;
  email: string;
  agent_last: number;
  customer_last: number;
  /** A customer kind as JSON. */
  kind: string;
  is_new?: 0 | 1;
}

const waits = 'exists (select 1 from uncounted_threads where uncounted_threads.chat_id = customers.chat_id)';
const row = `customers.id, created, name, email, agent_last, customer_last, json_object(
    'country', country, 'country_code', country_code, 'groups', json(groups), 'threads', threads,
    'has_chat', json(case when threads > 0 or ${waits} then 'true' else 'false' end)
  ) as kind`;

const note = (who: string): string =>
  `begin insert into changed_customers (id, is_new) ${who} on conflict (id) do nothing; end`;
const noteOfChat = (chat_id: string): string => note(`select id, 0 from customers where chat_id = ${chat_id}`);

/** Of this connection alone; a transaction that is rolled back takes back what it noted. */
const notes = `
  create temp table changed_customers (id text primary key, is_new integer not null) without rowid;
  create temp trigger customer_is_new after insert on customers ${note('values (new.id, 1)')};
  create temp trigger customer_is_changed
    after update of chat_id, name, email, country, country_code, threads, agent_last, customer_last, groups on customers
    ${note('values (new.id, 0)')};
  create temp trigger customer_waits after insert on uncounted_threads ${noteOfChat('new.chat_id')};
  create temp trigger customer_waits_no_more after delete on uncounted_threads ${noteOfChat('old.chat_id')};
`;

/** So many of those that were made last are read again where another process made one. */
const most_newest = 1000;

export type CustomerColumns = ReturnType<typeof createCustomerColumns>;

/** The columns follow the file by `upToFile`; the first call reads all customers. */
export function createCustomerColumns(sqlite: DatabaseSync) {
  const columns = createColumns(['created', 'kind', 'agent_last', 'customer_last', 'texts']);
  const digests = { name: createTextDigests(), email: createTextDigests() };
  const kinds: CustomerKind[] = [];
  const numbers = new Map<string, number>();
  type Statements = ReturnType<typeof prepare>;
  let statements: Statements | undefined;
  let seen_version: number | undefined;

  function prepare() {
    sqlite.exec(notes);
    return {
      changed: sqlite.prepare(`
        select is_new, ${row} from changed_customers cross join customers on customers.id = changed_customers.id
        order by is_new desc, created, customers.id`),
      settled: sqlite.prepare('delete from changed_customers'),
      version: sqlite.prepare('pragma data_version'),
      all: sqlite.prepare('select count(*) as customers from customers'),
      from: sqlite.prepare(`select ${row} from customers where created >= ? order by created, customers.id`),
      rank: sqlite.prepare('select count(*) as before from customers where created = ? and id < ?'),
      id: sqlite.prepare('select id from customers where created = ? order by id limit 1 offset ?'),
      one: sqlite.prepare('select id, created from customers where id = ?'),
      named: {
        name: sqlite.prepare('select id, created from customers where name = ?'),
        email: sqlite.prepare('select id, created from customers where email = ?'),
      },
    };
  }

  function numberOf(kind: string): number {
    const had = numbers.get(kind);
    if (had !== undefined) return had;
    numbers.set(kind, kinds.length);
    return kinds.push(JSON.parse(kind) as CustomerKind) - 1;
  }
  const cells = ({ created, kind, agent_last, customer_last, name, email }: Row) => ({
    ...{ created, agent_last, customer_last },
    kind: numberOf(kind),
    texts: digests.name.of(name) * 2 ** 16 + digests.email.of(email),
  });
  const insert = (place: number, each: Row): void => columns.insert(place, cells(each));
  /** Where a customer stands, or would stand. */
  function placeOf({ id, created }: Pick<Row, 'id' | 'created'>): number {
    const { created: instants } = columns.of;
    const first = firstPlace(instants, columns.length, created, { or_same: true });
    const is_alone = first === columns.length || instants[first] !== created;
    return is_alone ? first : first + Number(statements!.rank.get(created, id)!.before);
  }
  function readAll(): void {
    for (const each of sqlite.prepare(`select ${row} from customers order by id`).iterate())
      insert(columns.length, each as unknown as Row);
    // In the file's own order they are read in a quarter of the time that an index takes.
    const { created } = columns.of;
    const order = Uint32Array.from({ length: columns.length }, (_, place) => place);
    columns.arrange(order.sort((a, b) => created[a]! - created[b]! || a - b));
  }
  function takeChanges(from: Statements): void {
    const changes = from.changed.all() as unknown as Row[];
    const made = changes.filter(({ is_new }) => is_new === 1).length;
    const others = isWrittenByOthers(from, columns.length + made);
    if (others) readNewest(from);
    // New ones come first and in order: those before each of them are there already.
    for (const each of changes) {
      const place = placeOf(each);
      if (each.is_new === 1 && !others) insert(place, each);
      else columns.set(place, cells(each));
    }
    if (changes.length > 0) from.settled.run();
  }
  /** Another process makes a customer when it mints a token for one. */
  function isWrittenByOthers({ version, all }: Statements, known: number): boolean {
    const now = Number(version.get()!.data_version);
    const is_written = now !== seen_version;
    seen_version = now;
    return is_written && Number(all.get()!.customers) !== known;
  }
  /** Reads those again that were made last; all of them where that does not do. */
  function readNewest({ from, all }: Statements): void {
    const created = columns.of.created[Math.max(0, columns.length - most_newest)] ?? 0;
    leave(columns.length > 0 ? firstPlace(columns.of.created, columns.length, created, { or_same: true }) : 0);
    for (const each of from.iterate(created)) insert(columns.length, each as unknown as Row);
    if (columns.length === Number(all.get()!.customers)) return;
    leave(0);
    readAll();
  }
  /** Keeps the first so many. */
  function leave(length: number): void {
    while (columns.length > length) columns.remove(columns.length - 1);
  }
  const placesOf = (found: unknown[]): number[] => (found as Pick<Row, 'id' | 'created'>[]).map(placeOf);

  return {
    columns,
    /** By their numbers. */
    kinds: kinds as readonly CustomerKind[],
    /** Takes in what was written since; call it before reading. */
    upToFile(): void {
      if (!statements) {
        statements = prepare();
        readAll();
        return;
      }
      takeChanges(statements);
    },
    placeOf,
    idAt(place: number): string {
      const created = columns.of.created[place]!;
      const first = firstPlace(columns.of.created, columns.length, created, { or_same: true });
      return String(statements!.id.get(created, place - first)!.id);
    },
    /** Of places those of the customers who are one of these, or with `is_one` false those who are not; `places` is written over. */
    ofIds(ids: readonly string[], is_one: boolean, places: Uint32Array): Uint32Array {
      const own = new Uint8Array(columns.length);
      for (const id of ids) for (const place of placesOf(statements!.one.all(id))) own[place] = 1;
      let count = 0;
      for (let index = 0; index < places.length; index++) {
        const place = places[index]!;
        if ((own[place] === 1) === is_one) places[count++] = place;
      }
      return places.subarray(0, count);
    },
    /** The same of the customers whose text is one of these; where a digest does not tell, the file does. */
    ofTexts(field: 'name' | 'email', values: readonly string[], is_one: boolean, places: Uint32Array): Uint32Array {
      const shift = field === 'name' ? 16 : 0;
      const { texts } = columns.of;
      const { marks, others } = digests[field].marksOf(values);
      const own = new Uint8Array(columns.length);
      for (const text of others) for (const place of placesOf(statements!.named[field].all(text))) own[place] = 1;
      let count = 0;
      for (let index = 0; index < places.length; index++) {
        const place = places[index]!;
        const is_marked = marks[(texts[place]! >>> shift) & 0xffff] === 1 || own[place] === 1;
        if (is_marked === is_one) places[count++] = place;
      }
      return places.subarray(0, count);
    },
  };
}
