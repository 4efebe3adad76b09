// What lists of customers ask about each of them, in memory and in order of creation, then id: twenty bytes a customer. Any combination of
// ranges and texts can be asked for, and what matches is counted: no index answers that.
import type { DatabaseSync } from 'node:sqlite';
import { createColumns, firstPlace } from './columns.ts';

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
  /** How many customers have a name, or an address, of each digest. */
  const held = { name: new Uint32Array(2 ** 16), email: new Uint32Array(2 ** 16) };
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
      count: {
        name: sqlite.prepare('select count(*) as customers from customers where name = ?'),
        email: sqlite.prepare('select count(*) as customers from customers where email = ?'),
      },
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
    texts: digestOf(name) * 2 ** 16 + digestOf(email),
  });
  function count(texts: number, by: 1 | -1): void {
    held.name[texts >>> 16]! += by;
    held.email[texts & 0xffff]! += by;
  }
  function insert(place: number, each: Row): void {
    const own = cells(each);
    count(own.texts, 1);
    columns.insert(place, own);
  }
  function replace(place: number, each: Row): void {
    const own = cells(each);
    count(columns.of.texts[place]!, -1);
    count(own.texts, 1);
    columns.set(place, own);
  }
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
      else replace(place, each);
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
    while (columns.length > length) {
      count(columns.of.texts[columns.length - 1]!, -1);
      columns.remove(columns.length - 1);
    }
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
    /** Whether a customer who stands at a place is one of these. */
    isOneOf(ids: readonly string[]): (place: number) => boolean {
      const places = new Set(ids.flatMap((id) => placesOf(statements!.one.all(id))));
      return (place) => places.has(place);
    },
    /** Whether the text of a customer is one of these. Another text may have the digest of one of them: then the file says who has it. */
    isText(field: 'name' | 'email', values: readonly string[]): (place: number) => boolean {
      const shift = field === 'name' ? 16 : 0;
      const { texts } = columns.of;
      const known = new Uint8Array(2 ** 16);
      const places = new Set<number>();
      for (const value of values) {
        const digest = digestOf(value);
        const is_alone = value === '' || held[field][digest] === Number(statements!.count[field].get(value)!.customers);
        if (is_alone) known[digest] = 1;
        else for (const place of placesOf(statements!.named[field].all(value))) places.add(place);
      }
      return (place) => known[(texts[place]! >>> shift) & 0xffff] === 1 || places.has(place);
    },
  };
}

/** 16 bits of a text (FNV-1a, folded); 0 is the empty text alone. */
function digestOf(text: string): number {
  if (text === '') return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff || 1;
}
