// What follows a chat within days: ratings that depend on the wait, tags and the survey after the chat.
import type { ChatRecord } from '../records.ts';
import { tagsOfGroup } from './catalogue.ts';
import { surveyId } from './identifiers.ts';
import type { Random } from './random.ts';

const HOUR = 3600;

/** The visitor's experience, as far as it determines their satisfaction. */
interface Experience {
  ended: number;
  group: number;
  waited: number;
  /** Null when nobody ever answered. */
  first_response_seconds: number | null;
  skill: number;
}

type Rating = ChatRecord['ratings'][number];

/** None, one, or a first opinion and a later one. */
export function ratingsOf(random: Random, chat: Experience): Rating[] {
  const isAnswered = chat.first_response_seconds !== null;
  if (!random.chance(isAnswered ? 0.3 : 0.12)) return [];
  const isBad = random.chance(badness(chat));
  const isLate = random.chance(0.09);
  const at = chat.ended + (isLate ? random.between(HOUR, 54 * HOUR) : random.between(0, 90));
  const first: Rating = { at, rate: isBad ? 'rated_bad' : 'rated_good' };
  if (random.chance(0.02)) return [{ at, rate: 'rated' }];
  if (random.chance(isBad ? 0.35 : 0.1)) first.comment = random.pick(isBad ? BAD_COMMENTS : GOOD_COMMENTS);
  if (!random.chance(0.04)) return [first];
  const later = at + random.between(30, 40 * HOUR);
  if (random.chance(0.12)) return [first, { at: later, rate: 'not_rated' }];
  return [first, { at: later, rate: isBad ? 'rated_good' : 'rated_bad' }];
}

/** The chance of a bad rating: long waits and slow answers cost most. */
function badness(chat: Experience): number {
  if (chat.first_response_seconds === null) return 0.8;
  const patience = 0.05 + chat.waited * 0.0018 + chat.first_response_seconds * 0.0012;
  return Math.min(0.85, patience / chat.skill);
}

/** Tags assigned during the chat, right after it or during clean-up the next day; never the same twice. */
export function tagsOf(random: Random, started: number, chat: Experience): ChatRecord['tags'] {
  if (!random.chance(0.72)) return [];
  const own = tagsOfGroup(chat.group);
  const tags: ChatRecord['tags'] = [];
  const count = 1 + (random.chance(0.3) ? 1 : 0) + (random.chance(0.08) ? 1 : 0);
  for (let i = 0; i < count; i++) {
    const tag = random.pick(random.chance(0.8) ? own : tagsOfGroup(random.between(0, 4)));
    if (tags.some((given) => given.tag === tag)) continue;
    const moment = random.unit();
    const at =
      moment < 0.5
        ? random.between(started, chat.ended)
        : chat.ended + (moment < 0.88 ? random.between(0, 240) : random.between(14 * HOUR, 34 * HOUR));
    tags.push({ at, tag });
  }
  return tags.sort((a, b) => a.at - b.at);
}

/** What visitors answer who gave no rating; others say what they rated at first. */
const QUALITIES = ['Good', 'Good', 'Very good', 'Bad'];
const QUALITIES_RATED: Partial<Record<Rating['rate'], string[]>> = {
  rated_good: ['Good', 'Good', 'Very good'],
  rated_bad: ['Bad'],
};

export function postchatOf(
  random: Random,
  seed: number,
  { ended, ratings }: Pick<ChatRecord, 'ended' | 'ratings'>,
): ChatRecord['postchat_survey'] {
  if (!random.chance(0.14)) return [];
  const at = ended + random.between(5, 300);
  const quality = random.pick(QUALITIES_RATED[ratings[0]?.rate ?? 'not_rated'] ?? QUALITIES);
  const answers = [{ key: 'How would you rate the quality of support?', value: quality, id: surveyId(seed, 11), at }];
  if (random.chance(0.3)) {
    const value = random.pick(quality === 'Bad' ? BAD_COMMENTS : GOOD_COMMENTS);
    answers.push({ key: 'Anything you would like to add?', value, id: surveyId(seed, 12), at });
  }
  return answers;
}

const GOOD_COMMENTS = ['Very friendly!', 'Quick and helpful 👍', 'Solved in five minutes.', 'شكرا!', 'Top, danke'];
const BAD_COMMENTS = [
  'I waited far too long.',
  'The answer did not help at all.',
  'Nobody answered me :(',
  '=cmd|calc!A1',
  'Rude, "copy & paste" answers; <never> again',
];
