// What could not be decoded and is set aside in ledger.quarantine with its reason, until it can be.
import type { Queryable } from '#warehouse/engine.ts';
import { quarantined } from '#warehouse/ledger/pulls.ts';
import type { FlatRow } from '../decode/chats.ts';

/** A record that could not be decoded, and why. */
export interface Misfit {
  /** Report name, list or `archive`. */
  source: string;
  /** Chat id, or period and split of a report: a record has the same id each time it is received. */
  record_id: string;
  reason: string;
  /** As received. */
  body: string;
}

/** Longer records are cut here; the raw archive has them whole. */
const longest_body = 65_536;

export interface Quarantine {
  /** The mark of the row that it replaces, and its own row. */
  add(misfit: Misfit, from: { account: string; pull_id: string; now: number }): [FlatRow, FlatRow];
  /** Ids of the records of a source that are set aside. */
  ids(source: string): string[];
  /** It could be decoded: the mark that takes it out, or nothing when it was not in. */
  release(source: string, record_id: string, account: string): FlatRow | undefined;
}

export async function quarantineOf(engine: Queryable, account: string): Promise<Quarantine> {
  const rows = await quarantined(engine, account);
  const nameOf = (source: string, record_id: string): string => `${source}\u0001${record_id}`;
  const names = new Set(rows.map((row) => nameOf(String(row.source), String(row.record_id))));
  return {
    add({ source, record_id, reason, body }, { account, pull_id, now }) {
      names.add(nameOf(source, record_id));
      const mark = { account, source, record_id };
      return [mark, { ...mark, reason, body: body.slice(0, longest_body), seen_at: now, pull_id }];
    },
    ids: (source) =>
      [...names].filter((name) => name.startsWith(`${source}\u0001`)).map((name) => name.slice(source.length + 1)),
    release: (source, record_id, account) =>
      names.delete(nameOf(source, record_id)) ? { account, source, record_id } : undefined,
  };
}
