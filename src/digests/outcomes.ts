// What came of one delivery, written to the ledger and said in the log.
import { askedSeconds, retryBudget, type AskedWait, type DeliveryOutcome } from './channels/outcome.ts';
import { secondsNow, type DigestDeps } from './deps.ts';
import type { Send } from './send.ts';

/** How often a held digest is checked again. */
const look_again_seconds = 300;

export function record(deps: DigestDeps, send: Send, outcome: DeliveryOutcome): void {
  const now = secondsNow(deps);
  if (outcome.kind === 'sent') return deps.store.ledger.end(send, 'sent', null, now);
  if (outcome.kind === 'retry') return putOff(deps, send, outcome.reason, outcome.asked);
  deps.store.ledger.end(send, outcome.kind, outcome.reason, now);
  deps.log(`digest ${send.digest} ${send.period} for ${send.reader}: ${outcome.kind}, ${outcome.reason}`);
}

/** `asked`: not before that, also where the day in which it is tried again is over by then: it is tried once more. */
export function putOff(deps: DigestDeps, send: Send, reason: string, asked?: AskedWait): void {
  const { ledger } = deps.store;
  const now = secondsNow(deps);
  const { attempts, first_at } = ledger.find(send) ?? send;
  const wait = retryBudget(attempts, first_at ?? now, now);
  const least = asked ? askedSeconds(asked, now) : 0;
  if (wait !== undefined) return ledger.retry(send, reason, now + Math.max(wait, least), now);
  fail(deps, send, `given up after a day: ${reason}`);
}

/** Ends it without having handed it over. */
export function fail(deps: DigestDeps, send: Send, reason: string): void {
  const now = secondsNow(deps);
  const { ledger } = deps.store;
  if (ledger.find(send)?.state !== 'sending' && !ledger.claim(send, deps.owner, now)) return;
  ledger.end(send, 'failed', reason, now);
  deps.log(`digest ${send.digest} ${send.period} for ${send.reader}: failed, ${reason}`);
}

export function hold(deps: DigestDeps, send: Send, reason: string): void {
  const now = secondsNow(deps);
  if (send.state !== 'held') deps.log(`digest ${send.digest} ${send.period} for ${send.reader} is held: ${reason}`);
  deps.store.ledger.hold(send, reason, now + look_again_seconds, now);
}
