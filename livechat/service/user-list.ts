// Who is on the user list of a thread: as callers of the v3 APIs left it, else as the record tells.
import { customerId } from './names.ts';
import type { ChatRecord, ThreadMember } from './records.ts';

/** The list as of an instant. In an open thread that nobody has touched, the last agent has the chat. */
export function userList(record: ChatRecord, now: number): ThreadMember[] {
  if (record.live) return record.live.members;
  const is_open = record.started <= now && now < record.ended;
  const last = record.agents.at(-1)?.email;
  const agents = record.agents.map(({ email }) => ({
    ...{ id: email, type: 'agent' as const, visibility: 'all' as const, present: is_open && email === last },
    ...(is_open && email === last && { is_routed: true as const }),
  }));
  const supervisors = record.supervisors
    .filter(({ email }) => !agents.some(({ id }) => id === email))
    .map(({ email }) => ({ id: email, type: 'agent' as const, visibility: 'agents' as const, present: is_open }));
  const customer = { id: customerId(record.visitor.id), type: 'customer' as const, visibility: 'all' as const };
  return [{ ...customer, present: is_open }, ...agents, ...supervisors];
}
