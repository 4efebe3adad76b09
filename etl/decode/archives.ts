// The two archives that provide chats, as far as reading their records differs: names, starts, rows.
import { threadIdOf } from '#contract/threads.ts';
import type { ArchiveSource } from '../source.ts';
import type { DecodedChat, Provenance } from './chats.ts';
import { pageOf, threadsPageOf } from './page.ts';
import { decodeRecord, type Bounds } from './record.ts';
import { decodeThreadRecord } from './thread-record.ts';
import type { ArchiveUnit } from '../unit.ts';

export interface ArchiveRecords {
  /** The id of the chat in the facts; nothing when the record has none. */
  idOf(record: unknown): string | undefined;
  /** Unix seconds; NaN when the record does not say. */
  startOf(record: unknown): number;
  /** Rows of the chat, or the reason why the record is invalid. */
  decode(record: unknown, from: Provenance, bounds: Bounds): DecodedChat | string;
  /** @throws Garbled if the body is not a page. */
  page(body: unknown, number: number): { ids: string[]; total: number };
}

const archives: Record<ArchiveSource, ArchiveRecords> = {
  rest_v2: {
    idOf(record) {
      const { id } = (record ?? {}) as { id?: unknown };
      return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
    },
    startOf: (record) => Number((record as { started_timestamp?: unknown } | null)?.started_timestamp),
    decode: decodeRecord,
    page: pageOf,
  },
  agent_v3: {
    idOf: threadIdOf,
    startOf: (record) =>
      Date.parse(String((record as { thread?: { created_at?: unknown } } | null)?.thread?.created_at)) / 1000,
    decode: decodeThreadRecord,
    page(body, number) {
      const { ids, found } = threadsPageOf(body, number);
      return { ids, total: found };
    },
  },
};

export const recordsOf = ({ via = 'rest_v2' }: ArchiveUnit): ArchiveRecords => archives[via];
