// Chats as bytes: as objects an account of a million would need more than a gigabyte, as bytes it needs less than a tenth of that.
import type { LightChat } from './light.ts';

/** Room for one chat at the start; it grows. */
const first_room = 4096;

/** Texts that many chats share, such as logins and tags, by number. */
function createWords() {
  const words: string[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(word: string): number {
      const had = numbers.get(word);
      if (had !== undefined) return had;
      numbers.set(word, words.length);
      return words.push(word) - 1;
    },
    word: (number: number): string => words[number]!,
  };
}

const has = { holders: 1, greeting: 2, queue_seconds: 4, client_id: 8, is_replied: 16 } as const;

/** Whether all of a chat can be packed: what an open one has besides cannot, nor can numbers that are not whole. */
export const isPackable = ({ open, goals }: LightChat): boolean =>
  open === undefined && goals.every(({ price }) => Number.isInteger(price) && Math.abs(price) < 2 ** 51);

/** Packs chats and unpacks them again. */
export function createPacker() {
  const words = createWords();
  let room = new Uint8Array(first_room);
  let place = 0;

  /** Seven bits a byte, the lowest first. */
  const put = (value: number): void => {
    if (place + 10 > room.length) {
      const more = new Uint8Array(room.length * 2);
      more.set(room);
      room = more;
    }
    let left = value;
    while (left >= 128) {
      room[place++] = (left % 128) + 128;
      left = Math.floor(left / 128);
    }
    room[place++] = left;
  };
  const putSigned = (value: number): void => put(value < 0 ? -2 * value - 1 : 2 * value);
  const putWord = (word: string): void => put(words.numberOf(word));
  const putList = <T>(list: readonly T[], each: (one: T) => void): void => {
    put(list.length);
    for (const one of list) each(one);
  };

  let bytes: Uint8Array = room;
  const take = (): number => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[place++]!;
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  };
  const takeSigned = (): number => {
    const value = take();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const takeWord = (): string => words.word(take());
  const takeList = <T>(each: () => T): T[] => {
    const count = take();
    const list: T[] = [];
    for (let one = 0; one < count; one++) list.push(each());
    return list;
  };
  const takeId = (): string => {
    let id = '';
    for (let left = take(); left > 0; left--) id += String.fromCharCode(take());
    return id;
  };

  return {
    /** A view of the packed chat, good until the next one is packed. */
    pack({ id, started, ...chat }: LightChat): Uint8Array {
      place = 0;
      put(id.length);
      for (let index = 0; index < id.length; index++) put(id.charCodeAt(index));
      put(
        (chat.holders ? has.holders : 0) +
          (chat.greeting === null ? 0 : has.greeting) +
          (chat.queue_seconds === null ? 0 : has.queue_seconds) +
          (chat.client_id === undefined ? 0 : has.client_id) +
          (chat.is_replied ? has.is_replied : 0),
      );
      put(chat.number);
      putSigned(started);
      putSigned(chat.ended - started);
      putList(chat.agents, putWord);
      if (chat.holders) putList(chat.holders, putWord);
      putList(chat.groups, putSigned);
      if (chat.client_id !== undefined) putWord(chat.client_id);
      putWord(chat.engagement);
      if (chat.greeting !== null) putSigned(chat.greeting);
      if (chat.queue_seconds !== null) putSigned(chat.queue_seconds);
      putList(chat.ratings, ({ at, rate, has_comment }) => {
        putSigned(at - started);
        putWord(rate);
        put(Number(has_comment));
      });
      putList(chat.tags, ({ at, tag }) => {
        putSigned(at - started);
        putWord(tag);
      });
      putList(chat.goals, (goal) => {
        putSigned(goal.id);
        putSigned(goal.at - started);
        put(Number(goal.is_sale));
        putSigned(goal.price);
        putWord(goal.currency);
      });
      putList(chat.turns, ({ agent, seconds }) => {
        putWord(agent);
        putSigned(seconds);
      });
      return room.subarray(0, place);
    },
    /** The id alone of the chat that stands there. */
    idAt(from: Uint8Array, at: number): string {
      [bytes, place] = [from, at];
      return takeId();
    },
    unpack(from: Uint8Array, at: number): LightChat {
      [bytes, place] = [from, at];
      const id = takeId();
      const flags = take();
      const is = (flag: number): boolean => (flags & flag) !== 0;
      const number = take();
      const started = takeSigned();
      const ended = started + takeSigned();
      const agents = takeList(takeWord);
      const holders = is(has.holders) ? { holders: takeList(takeWord) } : undefined;
      const groups = takeList(takeSigned);
      const client = is(has.client_id) ? { client_id: takeWord() } : undefined;
      const engagement = takeWord() as LightChat['engagement'];
      const greeting = is(has.greeting) ? takeSigned() : null;
      const queue_seconds = is(has.queue_seconds) ? takeSigned() : null;
      const ratings = takeList(() => ({
        at: started + takeSigned(),
        rate: takeWord() as LightChat['ratings'][number]['rate'],
        has_comment: take() === 1,
      }));
      const tags = takeList(() => ({ at: started + takeSigned(), tag: takeWord() }));
      const goals = takeList(() => ({
        id: takeSigned(),
        at: started + takeSigned(),
        is_sale: take() === 1,
        price: takeSigned(),
        currency: takeWord(),
      }));
      const turns = takeList(() => ({ agent: takeWord(), seconds: takeSigned() }));
      return {
        ...{ number, id, started, ended, agents },
        ...holders,
        groups,
        ...client,
        ...{ engagement, greeting, queue_seconds, ratings, tags, goals },
        ...{ is_replied: is(has.is_replied), first: turns[0] ?? null, turns },
      };
    },
  };
}
