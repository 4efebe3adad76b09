// The layer around the service's routes: lets a request through, damages the answer, or keeps the request away; and counts.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../account.ts';
import { createDraw, type Drawn } from './draw.ts';
import { isKeptAway, type UnsentAnswer, type FaultContext } from './fault.ts';
import type { FaultName } from './faults.ts';
import type { ChaosPlan } from './plan.ts';
import { questionOf, type ChaosRequest } from './question.ts';
import { httpDate } from './statuses.ts';

/** TRICKY: the package replaces the global `Response` and does not recognize this one, but it does recognize a copy. */
const alreadySent = (): Response => RESPONSE_ALREADY_SENT.clone();

/** Requests and faults since the start, or since the last `follow`. */
export interface ChaosReport {
  /** Requests that came to the port: `reached` and `kept_away` together. */
  arrived: number;
  /** Those that the service itself was asked. */
  reached: number;
  /** Requests that a fault kept from reaching the service. */
  kept_away: number;
  /** Faults that did harm; a fault that found nothing to damage is not counted. */
  hit: number;
  faults: Partial<Record<FaultName, number>>;
}

export interface Chaos {
  told(): ChaosReport;
  /** Goes on by another plan, or by none, and counts from zero again. */
  follow(plan: ChaosPlan | null): void;
}

type FetchHandler = (request: Request) => Response | Promise<Response>;
/** Hears of each hit as it happens. */
export type OnFault = (name: FaultName, path: string) => void;

interface Layer extends Chaos {
  /** Requests that reached the service since the start, whatever plans were followed. */
  requests(): number;
  /** The answer to a request that came over this wire. */
  around(request: Request, wire: HttpBindings, handle: FetchHandler): Promise<Response>;
}

export function createChaos(first: ChaosPlan | null, clock: Clock, onFault?: OnFault): Layer {
  let plan: ChaosPlan | null;
  let draw: ReturnType<typeof createDraw>;
  let told: ChaosReport;
  let requests = 0;
  const follow = (next: ChaosPlan | null): void => {
    plan = next;
    draw = next ? createDraw(next) : () => undefined;
    told = { arrived: 0, reached: 0, kept_away: 0, hit: 0, faults: {} };
  };
  follow(first);
  const reach: (request: Request, handle: FetchHandler) => ReturnType<FetchHandler> = (request, handle) => {
    told.reached += 1;
    requests += 1;
    return handle(request);
  };
  const count = ({ name }: Drawn, { path, search }: ChaosRequest): void => {
    told.hit += 1;
    told.faults[name] = (told.faults[name] ?? 0) + 1;
    onFault?.(name, `${path}${search.size > 0 ? `?${search}` : ''}`);
  };

  return {
    follow,
    requests: () => requests,
    told: () => ({ ...told, faults: { ...told.faults } }),
    async around(request, { outgoing }, handle) {
      told.arrived += 1;
      if (!plan) return reach(request, handle);
      const body = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.clone().text();
      const question = questionOf(request, body);
      const drawn = draw(question);
      if (!drawn) return reach(request, handle);
      const { fault } = drawn;
      const scene = sceneOf(plan, question, drawn, request, handle, clock());
      if (isKeptAway(fault)) {
        told.kept_away += 1;
        count(drawn, question);
        if ('refuse' in fault) return responseOf(fault.refuse(scene), scene);
        fault.drop(outgoing, scene);
        return alreadySent();
      }
      const answer = await answerOf(await reach(request, handle));
      if ('deliver' in fault) {
        count(drawn, question);
        fault.deliver(answer, outgoing, scene);
        return alreadySent();
      }
      const damaged = await fault.damage(answer, scene);
      if (damaged) count(drawn, question);
      return responseOf(damaged ?? answer, scene);
    },
  };
}

function sceneOf(
  plan: ChaosPlan,
  question: ChaosRequest,
  { random }: Drawn,
  request: Request,
  handle: FetchHandler,
  now: number,
): FaultContext {
  return {
    question,
    random,
    now,
    hold_ms: plan.hold_seconds * 1000,
    slow_ms: plan.slow_seconds * 1000,
    retry_after: plan.retry_after_seconds,
    ask: async (path) =>
      answerOf(await handle(new Request(new URL(path, request.url), { headers: new Headers(request.headers) }))),
  };
}

async function answerOf(response: Response): Promise<UnsentAnswer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** The `Date` header always comes from the service, whatever answers. */
function responseOf({ status, headers, body }: UnsentAnswer, { now }: FaultContext): Response {
  const dated = { date: httpDate(now), ...headers };
  return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: dated });
}
