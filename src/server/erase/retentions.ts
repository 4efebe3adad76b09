// What went because it was too old, and what proves that no number is another by it: a list in app.sqlite, and a row of the audit.
import type { DatabaseSync } from 'node:sqlite';
import type { NotErased, Proof } from '#api/contract/erasures.ts';
import { auditIn, type AuditEntry } from '#auth/audit.ts';
import { prepareTables } from '#auth/schema.ts';
import { inTransaction } from '#auth/transaction.ts';
import { retainedKinds, type Retained, type Marks } from '#etl/erased/old.ts';
import type { OldWritten } from '#etl/raw/old.ts';
import { clock } from '../clock.ts';
import { marksIn } from '../erased/marks.ts';
import type { OldCounts } from './old.ts';

const table = `
create table if not exists retentions (
  id text primary key, state text not null, begun_at text not null, ended_at text, by text not null, marks text not null,
  counts text not null, proof text not null, remains text not null) strict;`;

interface RetentionCounts extends OldWritten {
  /** Counts for the warehouse. */
  gone: Partial<Record<Retained, OldCounts>>;
  set_aside: number;
  snapshots_rewritten: number;
  parts_rewritten: number;
}

export interface Retention {
  id: string;
  /** `placing`: proved and being put in place; the next writer finishes an interrupted one. */
  state: 'placing' | 'done';
  begun_at: string;
  ended_at: string | null;
  by: string;
  /** First days whose texts and names are kept from now on. */
  marks: Marks;
  counts: RetentionCounts;
  proof: Proof;
  /** What was not searched, and why. */
  remains: NotErased[];
}

interface Retentions {
  /** The newest first. */
  list(): Retention[];
  find(id: string): Retention | undefined;
  /** Stores it together with the marks in one transaction: from then on the content cannot return. */
  add(retention: Retention): void;
  end(id: string, ended_at: string): void;
}

export function retentionsIn(database: DatabaseSync): Retentions {
  database.exec(table);
  prepareTables(database);
  const audit = auditIn(database, () => clock() * 1000);
  const marks = marksIn(database);
  const find = database.prepare('select * from retentions where id = ?');
  const list = database.prepare('select * from retentions order by begun_at desc, id desc');
  const add = database.prepare('insert or replace into retentions values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const end = database.prepare("update retentions set state = 'done', ended_at = ? where id = ?");
  return {
    list: () => list.all().map(read),
    find(id) {
      const row = find.get(id);
      return row && read(row);
    },
    add(retention) {
      const { id, state, begun_at, ended_at, by, counts, proof, remains } = retention;
      inTransaction(database, () => {
        marks.advance(retention.marks, clock());
        add.run(
          ...[id, state, begun_at, ended_at, by],
          ...[retention.marks, counts, proof, remains].map((each) => JSON.stringify(each)),
        );
      });
    },
    end(id, ended_at) {
      inTransaction(database, () => {
        end.run(ended_at, id);
        const row = find.get(id);
        if (row) audit.record(recorded(read(row)));
      });
    },
  };
}

/** For the audit: what, until when, how much, and the proof. */
const recorded = ({ id, by, counts, proof, remains }: Retention): AuditEntry => ({
  action: 'retention.applied',
  about: [
    `retention ${id}: ${sentencesOf(counts).join('; ')}`,
    `${proof.cells} numbers of ${proof.snapshots - proof.untouched} snapshots are the same before and after`,
    ...remains.map(({ what, reason }) => `not looked at: ${what}, ${reason}`),
  ].join('; '),
  by: { who: by, user: null, address: '' },
});

/** What went, a sentence each for texts and names. */
export const sentencesOf = ({ gone }: Pick<RetentionCounts, 'gone'>): string[] =>
  retainedKinds.flatMap((kept) => {
    const of = gone[kept];
    if (!of) return [];
    const months = Object.entries(of.months);
    const chats = months.reduce((sum, [, count]) => sum + count, 0);
    const rows = Object.entries(of.rows).map(([name, count]) => `${count} of ${name}`);
    const ends = [...new Set([months.at(0)?.[0], months.at(-1)?.[0]])];
    const span = months.length > 0 ? ` (${ends.join(' to ')})` : '';
    return [
      `${kept} of ${chats} chats that began before ${of.begun.before}${span}; rows: ${rows.join(', ') || 'none'}`,
    ];
  });

const read = (row: Record<string, unknown>): Retention => ({
  ...(row as unknown as Retention),
  marks: JSON.parse(String(row['marks'])) as Marks,
  counts: JSON.parse(String(row['counts'])) as RetentionCounts,
  proof: JSON.parse(String(row['proof'])) as Proof,
  remains: JSON.parse(String(row['remains'])) as NotErased[],
});
