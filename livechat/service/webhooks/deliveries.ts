// Delivers what is in the outbox: once the disk has it, in order within a chat, chats side by side, retried with growing pauses and given up
// after the last one.
import { OutOfReach, type Reach } from '#network/reach.ts';
import type { Clock } from '../account.ts';
import { outgoing } from '../outgoing.ts';
import type { ChatStore } from '../store.ts';
import { chatOf } from './enqueue.ts';
import { createHold } from './hold.ts';

interface DeliveryOptions {
  store: ChatStore;
  now: Clock;
  reach: Reach;
  onMistake: (error: unknown) => void;
}

interface Deliveries {
  /** Ends the attempts that are under way; they are made again at the next start. */
  end(): void;
}

type Delivery = ReturnType<ChatStore['webhooks']['due']>[number];
/** `failed` is for good. */
type Outcome = { kind: 'delivered' } | { kind: 'retry' | 'failed'; reason: string };

const at_once = 32;
/** A slow receiver keeps others waiting no longer than this many attempts do. */
const at_once_of_one = 4;
const bounds = { milliseconds: 10_000, bytes: 64 * 1024 };
const polling_ms = 250;
const longest_reason = 500;

export const most_attempts = 11;
/** Seconds after an attempt: 5, 10, 20 and so on, 85 minutes together. */
export const pauseAfter = (attempts: number): number => 5 * 2 ** (attempts - 1);

/** Runs until its end. What was under way when the process died is delivered again: receivers see an id twice. */
export function startDeliveries({ store, now, reach, onMistake }: DeliveryOptions): Deliveries {
  const under_way = new Map<number, Delivery>();
  const outcomes: [Delivery, Outcome][] = [];
  const ending = new AbortController();
  let is_awake = false;

  const turn = (): void => {
    is_awake = false;
    if (ending.signal.aborted) return;
    writeOutcomes();
    hold.release();
    for (;;) {
      const busy = [...Map.groupBy(under_way.values(), ({ webhook_id }) => webhook_id)];
      const full = busy.filter(([, those]) => those.length >= at_once_of_one).map(([id]) => id);
      const next = store.webhooks
        .due(now(), full)
        .find(({ position }) => !under_way.has(position) && !hold.holds(position));
      if (!next || under_way.size >= at_once) return;
      under_way.set(next.position, next);
      void attempt(next).then(
        (outcome) => {
          outcomes.push([next, outcome]);
          wake();
        },
        (error: unknown) => {
          under_way.delete(next.position);
          onMistake(error);
        },
      );
    }
  };
  /** Once for all that are there in this turn of the event loop, after the transaction that is open. */
  const wake = (): void => {
    if (is_awake || ending.signal.aborted) return;
    is_awake = true;
    setImmediate(() => {
      try {
        turn();
      } catch (error) {
        onMistake(error);
      }
    });
  };

  // The answer to the action asks for the same at the same time: both share one way to the disk.
  const hold = createHold(() => store.settled(), {
    onReleased: wake,
    // The store may close once deliveries have ended.
    onMistake: (error) => ending.signal.aborted || onMistake(error),
  });

  const attempt = async ({ id, webhook_id, action, body }: Delivery): Promise<Outcome> => {
    const webhook = store.webhooks.one(webhook_id);
    if (!webhook) return { kind: 'failed', reason: 'the webhook was removed' };
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Chatledger webhooks',
      ...{ 'x-webhook-delivery': id, 'x-webhook-action': action },
    };
    try {
      const asked = { method: 'POST', headers, body } as const;
      const { status } = await outgoing(webhook.url, asked, { ...bounds, signal: ending.signal }, reach);
      return status >= 200 && status < 300
        ? { kind: 'delivered' }
        : { kind: 'retry', reason: `answered with ${status}` };
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, longest_reason);
      return { kind: error instanceof OutOfReach ? 'failed' : 'retry', reason };
    }
  };

  const writeOutcomes = (): void => {
    if (outcomes.length === 0) return;
    store.transact(() => {
      for (const [delivery, outcome] of outcomes) write(delivery, outcome);
    });
    for (const [{ position }] of outcomes) under_way.delete(position);
    outcomes.length = 0;
  };
  const write = (delivery: Delivery, outcome: Outcome): void => {
    const attempts = delivery.attempts + 1;
    // The webhook may have been removed meanwhile, with all that waited.
    if (outcome.kind === 'delivered' || !store.webhooks.one(delivery.webhook_id))
      return store.webhooks.delivered(delivery, now());
    if (outcome.kind === 'retry' && attempts < most_attempts)
      return store.webhooks.retryAt(delivery.position, now() + pauseAfter(attempts));
    store.webhooks.giveUp(delivery, chatOf(delivery.lane), outcome.reason, now());
  };

  store.webhooks.listen((position) => {
    hold.add(position);
    wake();
  });
  const timer = setInterval(wake, polling_ms).unref();
  wake();
  return {
    end() {
      clearInterval(timer);
      ending.abort();
    },
  };
}
