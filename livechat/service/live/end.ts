// A thread ends: closed by somebody, by inactivity or because nobody is left; its customer may have waited in vain.
import type { SystemMessageType } from '#contract/system-messages.ts';
import { changeOf } from './change.ts';
import { applyUpdate } from './customers.ts';
import { note } from './say.ts';
import { liveOf, save, type ChatThread } from './threads.ts';
import { oweTranscript } from './transcripts.ts';
import type { Turn } from './turn.ts';

interface Ending {
  type: SystemMessageType;
  text_vars: Record<string, string>;
  /** Who ended it; missing when the service did. */
  user_id?: string;
  user_type?: 'agent' | 'visitor';
}

/** Ends an active thread and writes it. */
export function end(turn: Turn, thread: ChatThread, { type, text_vars, user_id, user_type }: Ending): void {
  const { now, account } = turn;
  const { record, chat_id } = thread;
  const live = liveOf(thread, now);
  note(turn, thread, type, text_vars, user_type);
  record.ended = now;
  for (const member of live.members) member.present = false;
  delete live.is_idle;
  delete live.awaits_since;
  delete live.wait_number;
  if (thread.state === 'queued') leaveQueue(turn, thread);
  oweTranscript(turn, thread);
  save(turn, thread);
  const payload = { chat_id, thread_id: record.id, ...(user_id !== undefined && { user_id }) };
  turn.changes.push(changeOf(turn, thread, 'chat_deactivated', payload));
  const customer = account.store.live.customerByVisitor(record.visitor.id);
  if (customer) applyUpdate(turn, customer);
}

/** Whoever goes before an agent came has had no chat: reports count the wait, archives have nothing. */
function leaveQueue({ account, now, after }: Turn, thread: ChatThread): void {
  const { record, created } = thread;
  thread.state = 'left';
  const departure = { visitor_id: record.visitor.id, group: record.groups[0] ?? 0, queued: created, left: now };
  account.store.live.putDeparture(departure);
  after.push(() => account.departures.put(departure));
}
