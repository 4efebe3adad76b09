// Turns one beginning into the whole record of a chat.
import type { ChatRecord, GreetingRecord } from '../records.ts';
import { postchatOf, ratingsOf, tagsOf } from './aftermath.ts';
import type { QueuePlace } from './carry.ts';
import { type Conversation, converse } from './conversation.ts';
import { chatId } from './identifiers.ts';
import { particularsOf } from './particulars.ts';
import type { Beginning } from './queue.ts';
import { Random } from './random.ts';
import { goalsOf } from './sales.ts';
import { type Worker, workerAt } from './staff.ts';
import { oddOf } from './odd.ts';
import { visitorOf } from './visitors.ts';

/** The indices of the agents who lead a team and may look into chats. */
const LEADS = [0, 3];

interface ChatMaker {
  seed: number;
  day: number;
  workers: readonly Worker[];
  greetings: readonly GreetingRecord[];
}

/** The record, and the places the chat takes at its agents. */
export function makeChat(
  maker: ChatMaker,
  counter: number,
  beginning: Beginning,
): { chat: ChatRecord; places: QueuePlace[] } {
  const { seed, day } = maker;
  const { arrival, worker, at: started, waited } = beginning;
  const random = new Random(seed, 'chat', day, counter);
  const visitor = visitorOf(seed, arrival.visitor, arrival.first_seen);
  const greetingText = maker.greetings.find((greeting) => greeting.id === arrival.greeting)?.message_text ?? null;
  const lead = workerAt(maker.workers, random.pick(LEADS));
  const talk = converse({ random, beginning, visitor, greetingText, lead, oddLines: oddOf(seed).lines });
  const experience = {
    ended: talk.ended,
    group: arrival.group,
    waited: waited ?? 0,
    first_response_seconds: talk.first_response_seconds,
    skill: worker.skill,
  };
  const chat: ChatRecord = {
    id: chatId(seed, day, counter),
    visitor: visitor.record,
    agents: [worker, ...(talk.handover ? [talk.handover.heir] : [])].map(signature),
    supervisors: talk.supervisors.map(signature),
    started,
    ended: talk.ended,
    groups: groupsOf(random, beginning, talk),
    engagement: arrival.engagement,
    greeting_id: arrival.greeting,
    queue_seconds: waited,
    events: talk.events,
    ...particularsOf(random, seed, visitor.record),
    ratings: ratingsOf(random, experience),
    tags: tagsOf(random, started, experience),
    goals: goalsOf(random, arrival.group, started, talk.ended),
    postchat_survey: [],
  };
  chat.postchat_survey = postchatOf(random, seed, chat);
  return { chat, places: placesOf(beginning, talk) };
}

/** A chat handed to another team belongs to both groups; one that came from a greeting stays where it was shown. */
function groupsOf(random: Random, beginning: Beginning, talk: Conversation): number[] {
  const group = beginning.arrival.group;
  const other = talk.handover?.heir.record.groups[0];
  const isShared = other !== undefined && other !== group && group !== 0;
  if (!isShared || beginning.arrival.engagement === 'auto_invite' || random.chance(0.4)) return [group];
  return [group, other];
}

function placesOf(beginning: Beginning, talk: Conversation): QueuePlace[] {
  const first = beginning.worker.index;
  if (!talk.handover) return [[first, beginning.at, talk.ended]];
  const { heir, at } = talk.handover;
  return [
    [first, beginning.at, at],
    [heir.index, at, talk.ended],
  ];
}

function signature(worker: Worker): { display_name: string; email: string } {
  return { display_name: worker.record.name, email: worker.record.login };
}
