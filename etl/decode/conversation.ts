// The lines of an archived chat in order, with the author of each, and the turns between visitor and agents.
import type { ArchivedChat } from '#contract/archive.ts';

export interface ConversationLine {
  /** Unix seconds. */
  at: number;
  kind: 'message' | 'attachment' | 'event';
  user_type: 'agent' | 'visitor' | 'supervisor';
  agent: string | null;
  author_name: string | null;
  event_type: string | null;
  is_welcome: boolean;
  text: string;
  files: string | null;
}

/** A run of unanswered visitor lines that an agent's message ended. */
export interface ConversationTurn {
  /** Unix seconds of the run's first line and of the agent's line. */
  asked: number;
  answered: number;
  seconds: number;
  agent: string | null;
}

/** Lines that count as messages: attachments do, events do not, and nothing a supervisor wrote. */
export const counted = (line: Pick<ConversationLine, 'kind' | 'user_type'>): boolean =>
  line.kind !== 'event' && line.user_type !== 'supervisor';

/** `events`, or `messages` where there are none, sorted by timestamp; ties keep their order. */
export function linesOf(chat: ArchivedChat): ConversationLine[] {
  const written = chat.events.length > 0 ? chat.events : chat.messages.map(asEvent);
  const inOrder = [...written].sort((a, b) => a.timestamp - b.timestamp);
  let before: string | null = null;
  let isFirst = true;
  return inOrder.map((line) => {
    const agent: string | null = line.user_type === 'visitor' ? null : writerOf(line, chat, before);
    if (line.user_type === 'agent' && line.type !== 'event') before = agent;
    const counts = counted({ kind: line.type, user_type: line.user_type });
    const is_welcome = counts && isFirst && line.user_type === 'agent';
    if (counts) isFirst = false;
    return {
      at: line.timestamp,
      kind: line.type,
      user_type: line.user_type,
      agent,
      author_name: line.author_name ?? null,
      event_type: line.event_type || null,
      is_welcome,
      text: line.text,
      files: line.files?.join('\n') || null,
    };
  });
}

/** Drops all other event fields from a message, even where a source sends more. */
const asEvent = ({
  author_name,
  text,
  date,
  timestamp,
  user_type,
  agent_id,
}: ArchivedChat['messages'][number]): ArchivedEvent => ({
  ...{ author_name, text, date, timestamp, user_type, type: 'message' },
  ...(agent_id === undefined ? {} : { agent_id }),
});

type ArchivedEvent = ArchivedChat['events'][number];

/** The login on the line; otherwise the agent with that display name, the author of the previous agent message, or the first agent. */
function writerOf(
  line: { agent_id?: string | undefined; author_name?: string | undefined; user_type: string },
  chat: ArchivedChat,
  before: string | null,
): string | null {
  if (line.agent_id) return line.agent_id;
  if (line.user_type !== 'agent') return null;
  const named = chat.agents.find((agent) => agent.display_name === line.author_name);
  return named?.email ?? before ?? chat.agents[0]?.email ?? null;
}

/** Every answered run, from its first visitor line to the next agent line; `first` is the chat's first response. */
export function turnsOf(lines: readonly ConversationLine[]): {
  turns: ConversationTurn[];
  first: ConversationTurn | null;
} {
  const turns: ConversationTurn[] = [];
  let waiting: number | null = null;
  for (const line of lines) {
    if (!counted(line)) continue;
    if (line.user_type === 'visitor') waiting ??= line.at;
    else if (waiting !== null) {
      turns.push({ asked: waiting, answered: line.at, seconds: line.at - waiting, agent: line.agent });
      waiting = null;
    }
  }
  return { turns, first: turns[0] ?? null };
}
