// The list of past erasures: what was erased, when and by whom, and the proof, without any personal data.
import type { DatabaseSync } from 'node:sqlite';
import type { Counts, Erasure, NotErased, Proof } from '#api/contract/erasures.ts';
import { auditIn, type AuditEntry } from '#auth/audit.ts';
import { prepareTables } from '#auth/schema.ts';
import { inTransaction } from '#auth/transaction.ts';
import { clock } from '../clock.ts';

const table = `
create table if not exists erasures (
  id text primary key, state text not null, person text not null, begun_at text not null, ended_at text, by text not null,
  counts text not null, proof text not null, not_erased text not null) strict;`;

interface Erasures {
  /** Newest first. */
  list(): Erasure[];
  find(id: string): Erasure | undefined;
  add(erasure: Erasure): void;
  end(id: string, ended_at: string, not_erased: readonly NotErased[]): void;
}

export function erasuresIn(database: DatabaseSync): Erasures {
  database.exec(table);
  prepareTables(database);
  const audit = auditIn(database, () => clock() * 1000);
  const find = database.prepare('select * from erasures where id = ?');
  const list = database.prepare('select * from erasures order by begun_at desc, id desc');
  const add = database.prepare('insert or replace into erasures values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const end = database.prepare("update erasures set state = 'done', ended_at = ?, not_erased = ? where id = ?");
  return {
    list: () => list.all().map(read),
    find(id) {
      const row = find.get(id);
      return row && read(row);
    },
    add: ({ id, state, person, begun_at, ended_at, by, counts, proof, not_erased }) =>
      void add.run(
        ...[id, state, person, begun_at, ended_at, by],
        ...[counts, proof, not_erased].map((each) => JSON.stringify(each)),
      ),
    end(id, ended_at, not_erased) {
      inTransaction(database, () => {
        end.run(ended_at, JSON.stringify(not_erased), id);
        const row = find.get(id);
        if (row) audit.record(recorded(read(row)));
      });
    },
  };
}

/** For the audit: the proof, and what could not be erased. */
const recorded = ({ id, by, counts, proof, not_erased }: Erasure): AuditEntry => ({
  action: 'visitor.erased',
  about: [
    `erasure ${id}: ${counts.chats} chats`,
    `${proof.cells} numbers of ${proof.snapshots} snapshots are the same before and after`,
    ...not_erased.map(({ what, reason }) => `not erased: ${what}, ${reason}`),
  ].join('; '),
  by: { who: by, user: null, address: '' },
});

const read = (row: Record<string, unknown>): Erasure => ({
  ...(row as unknown as Erasure),
  counts: JSON.parse(String(row['counts'])) as Counts,
  proof: JSON.parse(String(row['proof'])) as Proof,
  not_erased: JSON.parse(String(row['not_erased'])) as NotErased[],
});
