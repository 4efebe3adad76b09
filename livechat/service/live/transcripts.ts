// Transcripts by mail for customers who asked for one in `routing.transcript_email` of their thread: sent once it has ended, tried again when the
// mail server refuses, and said in the thread when they are sent.
import type { ServiceAccount } from '../account.ts';
import type { SendMail } from '../mail.ts';
import { transcriptOf } from '../archive/transcript.ts';
import type { DueTranscript } from '../transcript-tables.ts';
import { note } from './say.ts';
import { chatNamed, liveOf, save, threadNamed, type ChatThread } from './threads.ts';
import { act, type Turn } from './turn.ts';

interface TranscriptOptions {
  account: ServiceAccount;
  sendMail: SendMail | undefined;
  onMistake: (error: unknown) => void;
}

const at_once = 4;
const most_attempts = 5;
/** Seconds after an attempt: one minute, five, 25 and so on, two and a half hours together. */
const pauseAfter = (attempts: number): number => 60 * 5 ** (attempts - 1);

/** The address that the customer of the thread gave for it. */
export function transcriptEmail({ record }: ChatThread): string | undefined {
  const email = record.live?.properties.routing?.transcript_email;
  return typeof email === 'string' ? email : undefined;
}

/** Remembers the transcript of a thread that ends now, when its customer asked for one. */
export function oweTranscript({ account, now }: Turn, thread: ChatThread): void {
  const email = transcriptEmail(thread);
  if (email === undefined || thread.state !== 'counted') return;
  const { chat_id, record } = thread;
  account.store.transcripts.put({ thread_id: record.id, chat_id, email, attempts: 0, next_try: now });
}

interface Transcripts {
  /** Sends what is due. */
  send(): void;
  /** What is under way is sent again at the next start, as it is when the process dies. */
  end(): void;
}

export function createTranscripts({ account, sendMail, onMistake }: TranscriptOptions): Transcripts {
  const under_way = new Set<string>();
  const { store } = account;
  let has_ended = false;

  /** Sends the mail, and returns what is to be written then. Throws when it is given up. */
  async function attempt(due: DueTranscript): Promise<() => void> {
    const { thread_id, email, attempts } = due;
    if (!sendMail)
      throw new Error(`the transcript of thread ${thread_id} is not sent: this service has no mail server`);
    const transcript = transcriptOf(account, thread_id, 'customer');
    if (!transcript) throw new Error(`the transcript of thread ${thread_id} is not sent: the archive lacks the thread`);
    // Nobody is told by mail of what a crash of the machine may undo.
    await store.settled();
    try {
      await sendMail({ to: email, ...transcript });
    } catch {
      const again = { ...due, attempts: attempts + 1, next_try: account.now() + pauseAfter(attempts + 1) };
      // What the mail server says may name the customer, whom logs do not.
      if (again.attempts === most_attempts)
        throw new Error(
          `the transcript of thread ${thread_id} is given up: the mail server did not take it in ${most_attempts} tries`,
        );
      return () => store.transact(() => store.transcripts.put(again));
    }
    return () => act(account, (turn) => tellSent(turn, due));
  }
  async function settle(due: DueTranscript): Promise<void> {
    try {
      const write = await attempt(due);
      if (!has_ended) write();
    } catch (error) {
      onMistake(error);
      if (!has_ended) store.transact(() => store.transcripts.drop(due.thread_id));
    } finally {
      under_way.delete(due.thread_id);
    }
  }
  return {
    send() {
      for (const due of store.transcripts.due(account.now(), at_once + under_way.size)) {
        if (under_way.has(due.thread_id) || under_way.size >= at_once) continue;
        under_way.add(due.thread_id);
        void settle(due);
      }
    },
    end() {
      has_ended = true;
    },
  };
}

function tellSent(turn: Turn, { thread_id, chat_id, email }: DueTranscript): void {
  const { account, now } = turn;
  account.store.transcripts.drop(thread_id);
  const thread = threadNamed(account, chatNamed(account, chat_id), thread_id);
  liveOf(thread, now);
  note(turn, thread, 'transcript_sent', { customer: thread.record.visitor.name || 'Visitor', email }, 'visitor');
  save(turn, thread);
}
