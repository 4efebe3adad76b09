// How long visitors waited for lines: the first response, the turns and whether the chat was replied to (docs/counting.md).
import type { ChatEvent, ChatRecord } from './records.ts';

/** An agent's line that ended a wait: the seconds since the visitor line that began it. */
export interface AnsweredTurn {
  agent: string;
  seconds: number;
}

interface Turns {
  /** Whether an agent wrote anything but the welcome message. */
  is_replied: boolean;
  /** First agent line after the first visitor line. */
  first: AnsweredTurn | null;
  /** One per unanswered run of visitor lines that an agent ended. */
  turns: AnsweredTurn[];
}

/** Reads messages and attachments in order of time, ties by position; supervisors never count. */
export function readTurns(chat: Pick<ChatRecord, 'agents' | 'events'>): Turns {
  const turns: AnsweredTurn[] = [];
  let is_replied = false;
  let is_welcomed = false;
  let has_visitor = false;
  let asked: number | null = null;
  let author: string | undefined;
  for (const line of [...chat.events].filter(isLine).sort((a, b) => a.at - b.at)) {
    if (line.user_type === 'visitor') {
      has_visitor = true;
      asked ??= line.at;
      continue;
    }
    author = authorOf(line, chat, author);
    if (has_visitor || is_welcomed) is_replied = true;
    is_welcomed = true;
    if (asked !== null) turns.push({ agent: author, seconds: line.at - asked });
    asked = null;
  }
  return { is_replied, first: turns[0] ?? null, turns };
}

function isLine(event: ChatEvent): boolean {
  return event.type !== 'event' && event.user_type !== 'supervisor';
}

/** An attachment may lack its agent: then the display name tells, else the agent line before, else the first agent. */
function authorOf(line: ChatEvent, chat: Pick<ChatRecord, 'agents'>, before: string | undefined): string {
  if (line.agent_id) return line.agent_id;
  const named = chat.agents.find((agent) => agent.display_name === line.author_name)?.email;
  return named ?? before ?? chat.agents[0]?.email ?? '';
}
