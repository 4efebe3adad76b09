// What people ask of an installation: every page, document and number.
import { setTimeout as pause } from 'node:timers/promises';
import { dashboards } from '#dashboards/dashboards.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { pages } from '../../access/pages.ts';

const document = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Waits for the first publication. @throws when it does not come. */
export async function ready(url: string, seconds: number, hasEnded: () => boolean): Promise<void> {
  for (const until = performance.now() + seconds * 1000; performance.now() < until && !hasEnded(); await pause(500))
    if (
      await fetch(`${url}/api/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  throw new Error(hasEnded() ? 'it ended before it was ready' : `it was not ready after ${seconds} s`);
}

/** How many chats the days have, when all of them are there. @throws when they do not come. */
export async function chatsPulled(url: string, range: string, seconds: number): Promise<number> {
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await pause(1000)) {
    const answer = await fetch(`${url}/api/metrics/total_chats?grain=total&${range}`);
    const { rows } = (await answer.json()) as { rows?: { chats: number | null }[] };
    const chats = rows?.[0]?.chats;
    if (typeof chats === 'number') return chats;
  }
  throw new Error(`the account was not pulled within ${seconds} s`);
}

/** Addresses of what is not there. */
const refused: Readonly<Record<string, number>> = {
  ...{ '/board/none': 404, '/chat/none': 404, '/agent/nobody@example.com': 404 },
};

/** Sentences about what was not answered as it should be. */
export async function askPages(url: string): Promise<{ asked: number; failures: string[] }> {
  const addresses = [
    ...Object.values(pages).map(({ at }) => at),
    ...dashboards.map(({ path }) => `/${path}?preset=30d`),
    ...dashboards.flatMap(({ id }) => [`/api/dashboards/${id}.pdf?preset=30d`]),
    ...dashboards.flatMap(({ id, panels }) =>
      panels.slice(0, 2).flatMap((panel) => ['csv', 'xlsx'].map((kind) => `/api/panels/${id}/${panel.id}.${kind}`)),
    ),
    ...['/api/chats?limit=100', '/api/snapshots/current/file', '/api/openapi.json', '/api/disk', '/api/backups'],
  ];
  const failures: string[] = [];
  for (const address of addresses) {
    const answer = await fetch(url + address, address.startsWith('/api') ? {} : { headers: document });
    await answer.arrayBuffer();
    if (answer.status !== (refused[address] ?? 200)) failures.push(`${answer.status} for ${address}`);
  }
  return { asked: addresses.length, failures };
}

export interface Numbers {
  snapshot: string;
  /** Of each metric. */
  answers: Record<string, unknown>;
}

interface Published {
  snapshots: { id: string; published_at: string }[];
}

/** Each metric by day, as the snapshot has it; by default the newest. */
export async function numbersOf(url: string, range: string, wanted?: string): Promise<Numbers> {
  const { snapshots } = (await (await fetch(`${url}/api/snapshots`)).json()) as Published;
  const snapshot =
    wanted ??
    snapshots
      .map(({ published_at }) => published_at)
      .sort()
      .at(-1) ??
    '';
  const answers: Record<string, unknown> = {};
  for (const { id } of metrics) {
    const answer = await fetch(`${url}/api/metrics/${id}?grain=day&${range}&as_of=${encodeURIComponent(snapshot)}`);
    const { rows, total } = (await answer.json()) as { rows?: unknown; total?: unknown };
    answers[id] = answer.ok ? { rows, total } : answer.status;
  }
  return { snapshot, answers };
}

/** Asks until it is told to stop; how much was asked, and what was not answered. */
export function asking(url: string): () => Promise<{ asked: number; failures: string[] }> {
  let goes_on = true;
  const [found, addresses] = [{ asked: 0, failures: [] as string[] }, metrics.map(({ id }) => `/api/metrics/${id}`)];
  const reader = async (): Promise<void> => {
    for (let number = 0; goes_on; number += 1) {
      const { status } = await fetch(`${url}${addresses[number % addresses.length]}?grain=day`);
      found.asked += 1;
      if (status >= 500) found.failures.push(`${status} under load`);
    }
  };
  const readers = [reader(), reader(), reader()];
  return async () => {
    goes_on = false;
    await Promise.all(readers);
    return found;
  };
}
