// The lines of a chat that make its durations: from the first unanswered line of the visitor to the answer that closes it.
import type { Row } from '#warehouse/engine.ts';

/** Two lines and the seconds between them; positions as in facts.messages. */
export interface ReceiptTurn {
  from: number;
  to: number;
  seconds: number;
  agent: string | null;
}

/** Lines in order of their position. Events and supervisors' lines are no messages. */
export function turnsOf(lines: readonly Row[]): ReceiptTurn[] {
  const turns: ReceiptTurn[] = [];
  let waiting: { position: number; second: number } | null = null;
  for (const line of lines) {
    if (line.kind === 'event') continue;
    const [position, second] = [Number(line.position), Number(line.at_second)];
    if (line.user_type === 'visitor') waiting ??= { position, second };
    if (line.user_type !== 'agent' || waiting === null) continue;
    const agent = line.agent === null || line.agent === undefined ? null : String(line.agent);
    turns.push({ from: waiting.position, to: position, seconds: second - waiting.second, agent });
    waiting = null;
  }
  return turns;
}
