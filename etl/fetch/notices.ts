// Headers that announce the end of an interface, `Legacy` and `Deprecation`: collected during a pull, stored in the ledger.
import type { Store } from '#warehouse/engine.ts';
import { noticesKnown } from '#warehouse/ledger/pulls.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import type { FlatRow } from '../decode/chats.ts';

const announcing = ['legacy', 'deprecation'] as const;

/** One announcement by one source. */
export interface HeaderNotice {
  /** Report, list, or archive. */
  source: string;
  header: (typeof announcing)[number];
  /** As received; the date on which the stage ends. */
  value: string;
}

export interface Notices {
  /** Hears the headers of every answer, lower case. */
  hear(source: string, headers: Readonly<Record<string, string>>, at: number): void;
  /** Each once, in order of source. */
  heard(): HeaderNotice[];
  /** Stores the announcements; the time of the first one is preserved. True if any is new. */
  keep(engine: Store, account: string): Promise<boolean>;
}

interface Heard extends HeaderNotice {
  first_seen_at: number;
  last_seen_at: number;
}

export function createNotices(): Notices {
  const found = new Map<string, Heard>();
  const nameOf = ({ source, header, value }: HeaderNotice): string => [source, header, value].join('\u0001');
  return {
    hear(source, headers, at) {
      for (const header of announcing) {
        const value = headers[header];
        if (value === undefined) continue;
        const name = nameOf({ source, header, value });
        const before = found.get(name);
        if (before) before.last_seen_at = Math.max(before.last_seen_at, at);
        else found.set(name, { source, header, value, first_seen_at: at, last_seen_at: at });
      }
    },
    heard: () =>
      [...found.values()]
        .map(({ source, header, value }) => ({ source, header, value }))
        .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    async keep(engine, account) {
      if (found.size === 0) return false;
      const table = tableOf('ledger', 'notices');
      const stored = await noticesKnown(engine, account);
      const firsts = new Map(stored.map((row) => [nameOf(row as unknown as HeaderNotice), String(row.first_seen_at)]));
      const rows = [...found].map(([name, { first_seen_at, ...notice }]): FlatRow => ({
        account,
        ...notice,
        first_seen_at: firsts.get(name) ?? first_seen_at,
      }));
      await engine.transaction(() => engine.load(table, rows, { replacing: table.key }));
      return rows.some((row) => typeof row.first_seen_at === 'number');
    },
  };
}

/** Warnings for the operator: one sentence per header and date, however many sources sent it. */
export function warningsOf(notices: readonly HeaderNotice[]): string[] {
  const together = Map.groupBy(notices, ({ header, value }) => `${header}\u0001${value}`);
  return [...together.values()].map((each) => {
    const { header, value } = each[0]!;
    const names = each.map(({ source }) => source);
    const who = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
    const stage = header === 'legacy' ? 'is a legacy version' : 'is deprecated and may stop answering';
    return `the interface of ${who} ${stage}: that stage ends on ${value} (header ${header === 'legacy' ? 'Legacy' : 'Deprecation'})`;
  });
}
