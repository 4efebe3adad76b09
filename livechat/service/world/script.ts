// Records one conversation line by line as its clock advances.
import type { ChatEvent } from '../records.ts';
import type { Random } from './random.ts';
import type { Worker } from './staff.ts';

/** The lines of one chat so far; methods that add a line use the time `now`. */
export class Script {
  readonly events: ChatEvent[] = [];
  now: number;
  private readonly visitorName: string;

  constructor(started: number, visitorName: string) {
    this.now = started;
    this.visitorName = visitorName || 'Visitor';
  }

  /** Lets time pass: whole seconds around the median, never more than a quarter of an hour. */
  wait(random: Random, median: number, sigma = 0.6): number {
    const seconds = Math.min(900, Math.round(random.lognormal(median, sigma)));
    this.now += seconds;
    return seconds;
  }

  agent(worker: Worker, text: string): void {
    this.spoken('agent', worker, text);
  }

  supervisor(worker: Worker, text: string): void {
    this.spoken('supervisor', worker, text);
  }

  visitor(text: string): void {
    this.events.push({ at: this.now, type: 'message', user_type: 'visitor', author_name: this.visitorName, text });
  }

  visitorFile(file: string): void {
    this.file('visitor', this.visitorName, file);
  }

  /** TRICKY: as in the archive, an agent's attachment names its author but carries no agent_id. */
  agentFile(worker: Worker, file: string): void {
    this.file('agent', worker.record.name, file);
  }

  transferred(from: Worker, to: Worker): void {
    const text = `${from.record.name} transferred the chat to ${to.record.name}.`;
    this.events.push({ at: this.now, type: 'event', event_type: 'transferred', user_type: 'agent', text });
  }

  /** Without a closer the chat ended because nobody wrote any more. */
  closed(closer: 'visitor' | Worker | null): void {
    const userType = closer === 'visitor' ? 'visitor' : 'agent';
    const name = closer === 'visitor' ? this.visitorName : closer?.record.name;
    const text = name === undefined ? 'The chat was closed due to inactivity.' : `${name} closed the chat.`;
    this.events.push({ at: this.now, type: 'event', event_type: 'closed', user_type: userType, text });
  }

  private spoken(userType: 'agent' | 'supervisor', worker: Worker, text: string): void {
    const { name, login } = worker.record;
    this.events.push({
      at: this.now,
      type: 'message',
      user_type: userType,
      author_name: name,
      agent_id: login,
      text,
    });
  }

  private file(userType: 'agent' | 'visitor', name: string, file: string): void {
    this.events.push({
      at: this.now,
      type: 'attachment',
      user_type: userType,
      author_name: name,
      text: `${name} uploaded the attachment.`,
      files: [`https://files.velora.example/attachments/${file}`],
    });
  }
}
