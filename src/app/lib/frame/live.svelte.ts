// Live updates from the server: snapshots and pulls. While disconnected, the page polls every 15 seconds.
import { invalidateAll } from '$app/navigation';
import type { EventData, Health } from '#api/contract/health.ts';
import { addressOf, call } from '#lib/api.ts';

/** A disconnection this long is shown; shorter ones usually resolve themselves. */
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
  /** The latest known state; undefined before the first message. */
  get health() {
    return health;
  },
  get isLost() {
    return isLost;
  },
  /** Whether a background refresh is running: the screen stays unchanged until the new numbers arrive. */
  get isQuiet() {
    return isQuiet;
  },
  quietly() {
    isQuiet = true;
  },
  /** The reader made a request: loading states are shown again. */
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
  // TRICKY: a browser keeps six connections per server across all tabs: background tabs release theirs.
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
