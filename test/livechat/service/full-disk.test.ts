// A disk without room: what could not be written is said, and neither the file nor the memory of the service has any of it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore, type ChatStore } from '#service/store.ts';
import { chat } from './tiny.ts';

let file: string;
let store: ChatStore;
let sqlite: DatabaseSync;

afterEach(() => store.close());

function openNew(): void {
  file = join(mkdtempSync(join(tmpdir(), 'full-disk-')), 's.sqlite');
  const opening = vi.spyOn(DatabaseSync.prototype, 'exec');
  store = openStore(file);
  sqlite = opening.mock.contexts[0] as DatabaseSync;
  opening.mockRestore();
}

/** Allows the file to grow by so many pages; undefined: as far as it likes. */
function leaveRoom(pages?: number): void {
  const used = Number(sqlite.prepare('pragma page_count').get()?.page_count);
  sqlite.exec(`pragma max_page_count = ${pages === undefined ? 4_000_000_000 : used + pages}`);
}

const chats = Array.from({ length: 60 }, (_, minute) => {
  const instant = (seconds: number): string => new Date(Date.UTC(2026, 4, 6, 10, minute, seconds)).toISOString();
  return chat(instant(0), instant(30));
});
const numbers = (of: ChatStore): number[] => Array.from(of.lightChats(), ({ number }) => number);

const day = { date: '2026-05-06', chats, departures: [], displays: [], statuses: [], tickets: [] };
const writing: Record<string, () => void> = {
  'a day': () => void store.writeDay(day, { days: 1 }),
  'an action': () => void store.transact(() => chats.forEach((each) => store.addChat(each))),
};
/** Whichever statement it is that finds no room. */
const rooms = Array.from({ length: 17 }, (_, pages) => pages);

describe.each(Object.entries(writing))('%s of which not all can be written', (_, write) => {
  it.each(rooms)('is refused whole, and written when there is room: %i pages', (pages) => {
    openNew();
    leaveRoom(pages);
    expect(write).toThrow('database or disk is full');
    expect([numbers(store), sqlite.isTransaction]).toEqual([[], false]);
    leaveRoom();
    write();
    const again = openStore(file);
    expect(numbers(again)).toEqual(Array.from(chats, (_, place) => place + 1));
    again.close();
  });
});
