// Two loads of whole conversations: as many at once as are answered, and as many a second as are offered whatever the answers take.
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '#service/world/random.ts';
import { actionsOfOne, converse, type Act, type People } from './conversation.ts';
import type { Answer, Asked } from './door.ts';

type Ask = (asked: Asked) => Promise<Answer>;

/** Milliseconds of each action, by its name. */
type Times = Map<string, number[]>;

export interface Load {
  times: Times;
  seconds: number;
}

function timesOf() {
  const times: Times = new Map();
  const add = (name: string, milliseconds: number): void => {
    const own = times.get(name);
    if (own) own.push(milliseconds);
    else times.set(name, [milliseconds]);
  };
  return { times, add };
}

/** Each client sends its next action once it has the answer to the one before: the most that is answered, with a queue of its own making. */
export async function saturate(ask: Ask, people: People, customers: string[], clients: number): Promise<Load> {
  const { times, add } = timesOf();
  const act: Act = async (asked) => {
    const sent = performance.now();
    const answer = await ask(asked);
    add(asked.name, performance.now() - sent);
    return answer;
  };
  const start = performance.now();
  await each(customers, clients, (customer) => converse(act, people, customer));
  return { times, seconds: (performance.now() - start) / 1000 };
}

/**
 * Actions are due at instants that nobody's answer moves (a Poisson process), in turns one of each of the conversations that go on. An
 * action is timed from when it is due, also where the one before it in its conversation was late and kept it waiting.
 */
export async function offer(
  ask: Ask,
  people: People,
  customers: string[],
  { each_second, at_once }: { each_second: number; at_once: number },
): Promise<Load> {
  const { times, add } = timesOf();
  const random = new Random(1, 'offered load');
  const start = performance.now() + 100;
  const due: number[] = [];
  for (let at = start; due.length < customers.length * actionsOfOne;) {
    at -= (Math.log(1 - random.unit()) / each_second) * 1000;
    due.push(at);
  }
  const rounds = Math.floor(customers.length / at_once);
  await Promise.all(
    Array.from({ length: at_once }, async (_, lane) => {
      let turn = 0;
      const act: Act = async (asked) => {
        const own = due[turn++ * at_once + lane]!;
        const early = own - performance.now();
        if (early > 0) await pause(early);
        const answer = await ask(asked);
        add(asked.name, performance.now() - own);
        return answer;
      };
      for (let round = 0; round < rounds; round++) await converse(act, people, customers[round * at_once + lane]!);
    }),
  );
  return { times, seconds: (performance.now() - start) / 1000 };
}

/** So many workers take the next of a list until none is left. */
async function each<T>(list: readonly T[], workers: number, work: (one: T) => Promise<void>): Promise<void> {
  const rest = list.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const one of rest) await work(one);
    }),
  );
}
