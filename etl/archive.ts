// Keeps every answer as received, before anything is decoded; facts and reports can be made from it again.
import { openRawArchive } from '#warehouse/open.ts';
import { rawResponses } from '#warehouse/tables.ts';
import type { Received } from './fetch.ts';

export interface RawAnswer {
  source: string;
  received: Received;
}

export interface RawArchive {
  keep(account: string, pull_id: string, answers: readonly RawAnswer[]): Promise<void>;
  close(): Promise<void>;
}

/** A question asked often on one UTC day keeps its newest answer of that day, so that the file grows with days, not with pulls. */
export async function openArchive(file: string): Promise<RawArchive> {
  const engine = await openRawArchive(file);
  return {
    keep: (account, pull_id, answers) =>
      engine.transaction(() =>
        engine.load(
          rawResponses,
          answers.map(({ source, received }) => ({
            account,
            path: received.path,
            received_on: new Date(received.asked_at * 1000).toISOString().slice(0, 10),
            received_at: received.asked_at,
            source,
            status: received.status,
            body: received.body,
            pull_id,
          })),
          { replacing: rawResponses.key },
        ),
      ),
    close: () => engine.close(),
  };
}
