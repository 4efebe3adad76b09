// What the server says by itself: snapshots and pulls as they come. While the connection is lost, the page looks every 15 seconds.
import { invalidateAll } from '$app/navigation';
import type { EventData, Health } from '#api/contract/health.ts';
import { addressOf, call } from '#lib/api.ts';

/** After a break of this length it is said; shorter ones mend themselves. */
const LOST_AFTER = 3000;
const LOOK_EVERY = 15_000;
/** Until the server has said something. */
const nothing: Health = {
  status: 'ok',
  snapshot: null,
  pull: { last_success_at: null, running: false, stage: null, done: 0, total: 0, pulled_since: null },
};
/** A first pull publishes often: the page follows at this pace. */
const REFRESH_EVERY = 5000;

let health = $state.raw<Health>();
let isLost = $state(false);
let isQuiet = $state(false);

export const live = {
  /** The newest that is known; nothing before the first word of the server. */
  get health() {
    return health;
  },
  get isLost() {
    return isLost;
  },
  /** Whether the page is being renewed without a question of the reader: what is on screen stays as it is until the new numbers are there. */
  get isQuiet() {
    return isQuiet;
  },
  quietly() {
    isQuiet = true;
  },
  /** The reader asked for something else: loading shows again. */
  asked() {
    isQuiet = false;
  },
};

/** Listens until the returned function is called. `shown` is the id of the snapshot that the page shows. */
export function listen(shown: () => string | undefined): () => void {
  let source: EventSource | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let refreshed = 0;

  const refresh = () => {
    if (waiting || !health?.snapshot || health.snapshot.id === shown()) return;
    const wait = Math.max(0, refreshed + REFRESH_EVERY - Date.now());
    waiting = setTimeout(() => {
      waiting = undefined;
      refreshed = Date.now();
      isQuiet = true;
      void invalidateAll();
    }, wait);
  };
  const hear = (change: Partial<Health>) => {
    health = { ...(health ?? nothing), ...change };
    refresh();
  };
  const found = () => {
    clearTimeout(lost);
    lost = undefined;
    if (isLost) void invalidateAll();
    isLost = false;
  };
  const missed = () => (lost ??= setTimeout(() => (isLost = true), LOST_AFTER));
  const open = () => {
    source?.close();
    source = new EventSource(addressOf('GET /events'));
    source.onopen = found;
    source.onerror = missed;
    source.addEventListener('snapshot', ({ data }) =>
      hear({ snapshot: JSON.parse(String(data)) as EventData['snapshot'] }),
    );
    source.addEventListener('pull', ({ data }) => hear({ pull: JSON.parse(String(data)) as EventData['pull'] }));
  };
  const look = async () => {
    if (document.hidden || source?.readyState === EventSource.OPEN) return;
    const health = await call(fetch, 'GET /health', { accepted: [503] });
    if (health.kind !== 'answered') return missed();
    hear(health.answer);
    found();
    if (source?.readyState === EventSource.CLOSED) open();
  };
  // TRICKY: a browser keeps six connections to a server for all its tabs: those in the background give theirs back.
  const turned = () => {
    if (!document.hidden) return open();
    source?.close();
    found();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  document.addEventListener('visibilitychange', turned);
  turned();
  return () => {
    clearInterval(timer);
    clearTimeout(waiting);
    found();
    source?.close();
    document.removeEventListener('visibilitychange', turned);
  };
}
