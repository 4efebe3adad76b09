// The lines of an archived chat in their order, whose each one is, and the turns between visitor and agents.
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

/** A visitor's unanswered run that an agent's message closed. */
export interface ConversationTurn {
  /** Unix seconds of the first line of the run and of the agent's. */
  asked: number;
  answered: number;
  seconds: number;
  agent: string | null;
}

/** Lines that count as messages: attachments do, events do not, and nothing a supervisor wrote. */
export const counted = (line: Pick<ConversationLine, 'kind' | 'user_type'>): boolean =>
  line.kind !== 'event' && line.user_type !== 'supervisor';

/** `events` (without them `messages`) by timestamp; ties keep their place. */
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

/** A message has nothing else of an event, also where a source writes more of it. */
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

/** The login that is named; else the agent of that display name, else who wrote the agent message before, else the first agent. */
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

/** Every answered run from its first visitor line to the next agent line; `first` is the first response of the chat. */
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
