// Definition of a fault: how much of the truth survives, a one-line description, and its implementation. The tables next to this file
// list them.
import type { ServerResponse } from 'node:http';
import type { Random } from '../world/random.ts';
import type { ChaosRequest } from './question.ts';

/** Where a fault does its harm. */
export const harms = ['transport', 'status', 'body', 'content'] as const;
export type Harm = (typeof harms)[number];

/** What the client can still get. */
export const effects = {
  passing: 'no usable answer this time; asking again is the remedy',
  refusing: 'a clear no, to be taken at its word',
  harmless: 'the truth in an odd form',
  visible: 'wrong, and a careful reader can see it',
  hidden: 'wrong, and nothing shows it',
} as const;
export type Effect = keyof typeof effects;

/** An answer that has not been sent yet. */
export interface UnsentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a fault can use. */
export interface FaultContext {
  question: ChaosRequest;
  random: Random;
  /** The service's clock, Unix seconds. */
  now: number;
  /** How long silence lasts before the connection is dropped. */
  hold_ms: number;
  /** How much later a slow answer is complete. */
  slow_ms: number;
  /** Seconds that a `Retry-After` names. */
  retry_after: number;
  /** The service's answer to the same caller for another path. */
  ask(path: string): Promise<UnsentAnswer>;
}

interface FaultDescription {
  effect: Effect;
  what: string;
  /** Questions that it can hit; without it every one. */
  fits?: (question: ChaosRequest) => boolean;
}

/** Answered in the service's place: the request never reaches it. */
interface Refusing extends FaultDescription {
  refuse: (scene: FaultContext) => UnsentAnswer;
}
/** No answer in HTTP at all: the request never reaches the service. */
interface Dropping extends FaultDescription {
  drop: (wire: ServerResponse, scene: FaultContext) => void;
}
/** Damages the service's own answer; undefined if it contains nothing to damage. */
interface Damaging extends FaultDescription {
  damage: (answer: UnsentAnswer, scene: FaultContext) => UnsentAnswer | undefined | Promise<UnsentAnswer | undefined>;
}
/** The service's own answer, badly delivered. */
interface Delivering extends FaultDescription {
  deliver: (answer: UnsentAnswer, wire: ServerResponse, scene: FaultContext) => void;
}

export type Fault = Refusing | Dropping | Damaging | Delivering;

/** True when the service never hears of a request that this fault hits. */
export const isKeptAway = (fault: Fault): fault is Refusing | Dropping => 'refuse' in fault || 'drop' in fault;
