// The rows that one batch writes: by table, with the keys of the rows they replace, and chats by id.
import { ColumnBatch } from '#warehouse/columns.ts';
import type { Store } from '#warehouse/engine.ts';
import { touch, type TouchedQuarter } from '#warehouse/store/touched.ts';
import { tableOf, type Table } from '#warehouse/tables/tables.ts';
import type { DecodedChat, FlatRow } from '../decode/chats.ts';
import type { StoredChat } from '../ledger/open-days.ts';

const factTables = [
  'chats',
  'messages',
  'chat_agents',
  'chat_turns',
  'chat_groups',
  'chat_tags',
  'chat_goals',
  'chat_surveys',
  'chat_variables',
] as const;
/** Contains the start time so that old rows are found by time. */
const factKey = ['account', 'started_quarter', 'chat_id'];
const dayKey = ['account', 'timezone', 'grain', 'split', 'split_value', 'day'];

/** Chats that are written and not committed yet: as the facts will hold them, null when they take them out. */
export interface ChatsOnTheWay {
  chat(chat_id: string): StoredChat | null | undefined;
  chats(): ReadonlyMap<string, StoredChat | null>;
}

const quarantine = tableOf('ledger', 'quarantine');

interface Replaced {
  rows: FlatRow[];
  marks: FlatRow[];
}

export class Bundle implements ChatsOnTheWay {
  readonly #tables = new Map<Table, Replaced>();
  readonly #chats = new Map<string, StoredChat | null>();
  readonly #facts = new Map(factTables.map((name) => [name, new ColumnBatch(tableOf('facts', name))]));
  /** TRICKY: when a chat occurs twice in one batch, the second version replaces the first one after that was written. */
  readonly #second = new Map<string, { rows: DecodedChat; mark: FlatRow }>();
  readonly #gone: FlatRow[] = [];
  /** Both versions of each chat. */
  readonly #written: TouchedQuarter[] = [];
  readonly #quarantine = new Map<string, { row: FlatRow | undefined; mark: FlatRow }>();

  of(schema: Table['schema'], name: string): Replaced {
    const table = tableOf(schema, name);
    let entry = this.#tables.get(table);
    if (!entry) this.#tables.set(table, (entry = { rows: [], marks: [] }));
    return entry;
  }

  /** Size of the write: one per chat, and a twentieth for any other row. */
  get size(): number {
    const rows = [...this.#tables.values()].reduce((sum, table) => sum + table.rows.length, 0);
    return this.#chats.size + rows / 20;
  }

  /** `before` is the version that it replaces. */
  addChat(chat_id: string, rows: DecodedChat, before: StoredChat | undefined): void {
    const [chat = {}] = rows.chats;
    const first = this.#chats.get(chat_id);
    const started_quarter = Number(chat.started_quarter);
    this.#chats.set(chat_id, { content_hash: String(chat.content_hash), started_quarter });
    this.#written.push({ account: String(chat.account), started_quarter });
    if (first) this.#second.set(chat_id, { rows, mark: { account: chat.account ?? null, ...keyOf(chat_id, first) } });
    else {
      if (before) this.removeChat(String(chat.account), chat_id, before);
      for (const [name, columns] of this.#facts) for (const row of rows[name]) columns.add(row);
    }
  }

  chat(chat_id: string): StoredChat | null | undefined {
    return this.#chats.get(chat_id);
  }

  chats(): ReadonlyMap<string, StoredChat | null> {
    return this.#chats;
  }

  removeChat(account: string, chat_id: string, before: StoredChat): void {
    this.#gone.push({ account, ...keyOf(chat_id, before) });
    this.#written.push({ account, started_quarter: before.started_quarter });
    if (!this.#chats.has(chat_id)) this.#chats.set(chat_id, null);
  }

  /** Puts a record into quarantine, or, without a row, takes it out. */
  setAside(mark: FlatRow, row?: FlatRow): void {
    this.#quarantine.set(JSON.stringify(mark), { row, mark });
  }

  /** There is nothing to write. */
  get isEmpty(): boolean {
    const isUntouched = [...this.#tables.values()].every(({ rows, marks }) => rows.length + marks.length === 0);
    return isUntouched && this.#chats.size + this.#gone.length + this.#quarantine.size === 0;
  }

  /** All or nothing. */
  async commit(engine: Store): Promise<void> {
    if (this.isEmpty) return;
    await engine.transaction(async () => {
      const second = [...this.#second.values()];
      for (const [name, columns] of this.#facts) {
        const { table } = columns;
        await engine.load(table, columns, { replacing: factKey, marks: this.#gone });
        const rows = second.flatMap((chat) => chat.rows[name]);
        await engine.load(table, rows, { replacing: factKey, marks: second.map(({ mark }) => mark) });
      }
      const misfits = [...this.#quarantine.values()];
      await engine.load(
        quarantine,
        misfits.map(({ row }) => row).filter((row) => row !== undefined),
        { replacing: quarantine.key, marks: misfits.map(({ mark }) => mark) },
      );
      for (const [table, { rows, marks }] of this.#tables)
        await engine.load(table, rows, { replacing: replacingOf(table), marks: marks.length > 0 ? marks : rows });
      await touch(engine, this.#written);
    });
    // Its chats can still be looked up, but the written rows are no longer needed.
    for (const columns of this.#facts.values()) columns.clear();
    this.#second.clear();
  }
}

const keyOf = (chat_id: string, { started_quarter }: StoredChat): FlatRow => ({ started_quarter, chat_id });

function replacingOf(table: Table): readonly string[] {
  if (table.name === 'source_differences') return ['account', 'day'];
  if (table.schema !== 'reports') return table.key;
  return table.name === 'goals' ? [...dayKey, 'sales_tracker'] : dayKey;
}
