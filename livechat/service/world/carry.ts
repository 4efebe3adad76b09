// State carried from one simulated day to the next: small and made of plain values, so that it can be stored as JSON.

/** A visitor who asks for a chat. */
export interface Arrival {
  at: number;
  /** The ordinal of the visitor, from which everything about him or her follows. */
  visitor: number;
  /** The instant of the visitor's first visit. */
  first_seen: number;
  group: number;
  /** When the visitor goes away if nobody has answered. */
  leaves: number;
  engagement: 'auto_invite' | 'manual_invite' | 'immediate_start';
  greeting: number | null;
  /** When the greeting was shown. */
  shown: number | null;
  /** Whether the conversation has to be a long one (across a change of the clocks). */
  is_long: boolean;
}

/** A visitor who may return: visitor, first visit, not before, not after, usual group. */
export type Returning = [visitor: number, firstSeen: number, from: number, until: number, group: number];

/** A place at an agent that is taken: agent, since, until. */
export type QueuePlace = [agent: number, from: number, until: number];

export interface Carry {
  /** The index of the day that is over. */
  day: number;
  returning: Returning[];
  /** Chats that go on over midnight. */
  open: QueuePlace[];
  /** Logins of the agents who came after the beginning, also of those who were removed again. */
  hired?: string[];
  /** Visitors waiting across midnight, in order of arrival. */
  waiting: Arrival[];
}
