// Marks in app.sqlite: chats that began before them have no texts, or no names, any more. They only move forward.
import type { DatabaseSync } from 'node:sqlite';
import { retainedKinds, type Marks } from '#etl/erased/old.ts';

const schema = `
create table if not exists retention_marks (kept text primary key, before text not null, moved_at text not null) strict;`;

interface StoredMarks {
  marks(): Marks;
  /** Part of the transaction under way. `now` in Unix seconds. */
  advance(marks: Marks, now: number): void;
}

export function marksIn(database: DatabaseSync): StoredMarks {
  database.exec(schema);
  const read = database.prepare('select kept, before from retention_marks');
  const write = database.prepare(
    `insert into retention_marks (kept, before, moved_at) values (?, ?, ?)
     on conflict (kept) do update set before = excluded.before, moved_at = excluded.moved_at where excluded.before > before`,
  );
  return {
    marks: () => Object.fromEntries(read.all().map(({ kept, before }) => [String(kept), String(before)])) as Marks,
    advance(marks, now) {
      for (const kept of retainedKinds) {
        const before = marks[kept];
        if (before !== undefined) write.run(kept, before, new Date(now * 1000).toISOString());
      }
    },
  };
}
