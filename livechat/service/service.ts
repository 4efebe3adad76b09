// The embedded live-chat service: opens its file, lets the account live up to now and answers over HTTP.
import { setImmediate as breathe } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { loadAccount, type ServiceAccount, type Clock } from './account.ts';
import type { Reach } from '#network/reach.ts';
import { startCheckpoints } from './checkpoints.ts';
import { createChaos, type Chaos, type OnFault } from './chaos/chaos.ts';
import type { ChaosPlan } from './chaos/plan.ts';
import type { SendMail } from './mail.ts';
import { createRoutes, type OnMistake } from './routes.ts';
import { createMidnight, missingDays, type GrowthProgress, type GrowingWorld, type WorldMaker } from './growth.ts';
import { licenseOf, type License } from './license.ts';
import { createTick } from './live/tick.ts';
import { createTranscripts } from './live/transcripts.ts';
import { keepPageClient } from './face/page.ts';
import type { Lifecycle } from './lifecycle.ts';
import { settleStaff } from './first-staff.ts';
import { settle } from './settle.ts';
import { openStore } from './store.ts';
import { startDeliveries } from './webhooks/deliveries.ts';
import { unversioned } from './wire.ts';
import { createWorld } from './world/world.ts';

export interface ServiceOptions {
  /** SQLite file, created at the first start. */
  file: string;
  clock?: Clock;
  seed?: number;
  /** The account's own IANA zone. */
  zone?: string;
  /** Days of history at the first start, today included. */
  days?: number;
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  /** The owner and the key of Basic authentication. */
  login?: string;
  apiKey: string;
  onProgress?: GrowthProgress;
  /** Who simulates the account. */
  world?: WorldMaker;
  /** Whether responses of v2.0 say when it ends. */
  lifecycle?: Lifecycle;
  /** Faults between the port and the service; none without it. */
  chaos?: ChaosPlan;
  onFault?: OnFault;
  /** How transcripts leave; without it a request for one is refused. */
  sendMail?: SendMail;
  /** Where webhooks and other requests that callers can cause may go; without it, to the public internet. */
  reach?: Reach;
  /** Learns of errors of the service itself, which requests see as 500. */
  onMistake?: OnMistake;
}

export interface Service {
  url: string;
  /** First simulated local day, YYYY-MM-DD. */
  firstDay: string;
  license: License;
  /** Requests received since the start, without those that a fault kept from reaching the service. */
  requests(): number;
  /** What arrived at the port and how it ended, even without a plan; also replaces the plan. */
  chaos: Chaos;
  /** Frees port, file and timer; a second call waits for the first. */
  close(): Promise<void>;
}

/** The port is taken; nothing was opened or written. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;

  constructor(port: number) {
    super(`port ${port} is already in use`);
    this.port = port;
  }
}

/** Starts the service. Throws PortInUse, and OtherAccount when the file holds an account of another seed or zone. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host = '127.0.0.1', port = 4010 } = options;
  const layer = createChaos(options.chaos ?? null, options.clock ?? wallClock, options.onFault);
  let beginning: ReturnType<typeof live> | undefined;
  const server = createAdaptorServer({
    // Requests that arrive while days are still being written wait for them.
    fetch: async (request, wire) => {
      const { fetch } = await beginning!;
      return layer.around(unversioned(request), wire as HttpBindings, fetch);
    },
  });
  // Binds the port first: a second service on the same file must fail before it writes.
  await listen(server, port, host);
  const stop = () => new Promise<void>((done) => closeServer(server, done));
  try {
    const { port: taken } = server.address() as AddressInfo;
    beginning = live(options, { host, port: taken });
    const life = await beginning;
    let closing: Promise<void> | undefined;
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
      firstDay: life.firstDay,
      license: life.license,
      requests: layer.requests,
      chaos: { told: layer.told, follow: layer.follow },
      close: () => (closing ??= stop().then(() => life.end())),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The setting is that of the program, for the words of refusals. */
const publicReach: Reach = { hosts: [], setting: 'CHATLEDGER_SERVICE_OUTGOING_HOSTS' };

const wallClock: Clock = () => Math.floor(Date.now() / 1000);

/** Everything except the port: the file, the account, the routes and the timer for midnight. */
async function live(options: ServiceOptions, place: { host: string; port: number }) {
  const { clock = wallClock, seed = 1, zone = 'UTC', days = 90 } = options;
  const { login = 'owner@example.com', apiKey, onProgress, reach = publicReach } = options;
  const store = openStore(options.file);
  try {
    const firstDay = settle(store, { seed, zone, days }, clock());
    const world: GrowingWorld = (options.world ?? createWorld)({ seed, zone, firstDay });
    const account: ServiceAccount = loadAccount(
      store,
      settleStaff(store, world.staff, login, apiKey, clock()),
      zone,
      clock,
    );
    for (const [written, of] of missingDays(account, world, firstDay)) {
      onProgress?.(written, of);
      await breathe();
    }
    store.chatList.upTo(clock());
    store.customerActivity.upTo(clock());
    store.customers.upToFile();
    const midnight = createMidnight(account, world, firstDay);
    const tick = createTick(account, (error) => options.onMistake?.(error, 'bringing chats up to the clock'));
    const { sendMail } = options;
    const transcripts = createTranscripts({
      account,
      sendMail,
      onMistake: (error) => options.onMistake?.(error, 'transcripts by mail'),
    });
    const before = () => {
      midnight.pass();
      tick();
      transcripts.send();
    };
    keepPageClient(store, place);
    const routes = createRoutes(account, before, { ...options, reach, host: place.host });
    const deliveries = startDeliveries({
      store,
      now: clock,
      reach,
      onMistake: (error) => options.onMistake?.(error, 'webhooks'),
    });
    const checkpoints = startCheckpoints(options.file, (error) => options.onMistake?.(error, 'checkpoints'));
    store.leaveCheckpoints();
    const timer = setInterval(() => {
      try {
        before();
      } catch (error) {
        options.onMistake?.(error, 'bringing chats up to the clock');
      }
      midnight.prepare().catch((error: unknown) => options.onMistake?.(error, 'writing the day to come'));
    }, 5_000).unref();
    return {
      firstDay,
      license: licenseOf(store),
      fetch: routes.fetch,
      async end() {
        clearInterval(timer);
        midnight.end();
        deliveries.end();
        transcripts.end();
        await Promise.all([checkpoints.end(), store.endReading()]);
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

type Server = ReturnType<typeof createAdaptorServer>;

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    );
    server.listen(port, host, () => resolve());
  });
}

function closeServer(server: Server, done: () => void): void {
  server.close(() => done());
  if ('closeAllConnections' in server) server.closeAllConnections();
}
