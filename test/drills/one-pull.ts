// One pull into a data folder by the product's own writer, with short waits: the faults of a drill are over at once.
import { retrying } from '#etl/fetch/retry-budget.ts';
import { pull, type PullOutcome } from '#etl/pull.ts';
import { basic, bearer } from '#etl/source.ts';
import { openFolder } from '#server/folder.ts';
import { withWriter } from '#server/writer.ts';
import { keepCounts } from '#warehouse/store/counts.ts';
import { publish } from '#warehouse/store/snapshot.ts';

/** What is pulled, from where; everything without `only`, which is report names joined by commas. */
export interface From {
  url: string;
  zone: string;
  since: string;
  only?: string;
  /** An agent's token: then chats of both archives are compared. */
  token?: string;
}

/** `now` in Unix seconds. Snapshots take longer than a small pull, and not every drill looks at them: without, chats are counted all the same. */
export async function onePull(
  path: string,
  { url, zone, since, only, token }: From,
  now: number,
  isPublished = true,
): Promise<PullOutcome> {
  const folder = openFolder(path);
  return withWriter(folder, ({ engine, archive }) =>
    pull({
      source: {
        ...{ id: 'default', base_url: url, authorization: basic('owner@example.com', 'secret'), region: 'dal' },
        ...{ timezone: zone, since, requests_per_second: null },
        ...(token ? { archive_source: 'both' as const, agent_authorization: bearer(token) } : {}),
      },
      ...{ engine, archive, clock: () => now },
      ...(only ? { only: new Set(only.split(',')) } : {}),
      limits: { ...retrying, timeout_ms: 1000, first_ms: 5, longest_ms: 50 },
      publish: async () =>
        void (await (isPublished ? publish(engine, folder.published, now * 1000) : keepCounts(engine))),
    }),
  );
}
