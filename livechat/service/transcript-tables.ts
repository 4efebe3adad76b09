// Transcripts that customers asked for, from the end of their thread until they are sent or given up, as an SQLite table.
import type { DatabaseSync } from 'node:sqlite';

export interface DueTranscript {
  thread_id: string;
  chat_id: string;
  email: string;
  /** How often it was tried. */
  attempts: number;
  /** Unix seconds; not before. */
  next_try: number;
}

const table = `
  create table if not exists transcripts (
    thread_id text primary key, chat_id text not null, email text not null, attempts integer not null, next_try integer not null
  ) without rowid;
`;

/** Reads and writes it; the caller opens the transaction before writing. */
export function createTranscriptTables(sqlite: DatabaseSync) {
  sqlite.exec(table);
  const put = sqlite.prepare(
    'insert or replace into transcripts (thread_id, chat_id, email, attempts, next_try) values (?, ?, ?, ?, ?)',
  );
  const due = sqlite.prepare('select * from transcripts where next_try <= ? order by next_try, thread_id limit ?');
  const drop = sqlite.prepare('delete from transcripts where thread_id = ?');
  return {
    put({ thread_id, chat_id, email, attempts, next_try }: DueTranscript): void {
      put.run(thread_id, chat_id, email, attempts, next_try);
    },
    due: (now: number, most: number) => due.all(now, most) as unknown as DueTranscript[],
    drop(thread_id: string): void {
      drop.run(thread_id);
    },
  };
}
