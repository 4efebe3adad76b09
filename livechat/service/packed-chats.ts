// Chats as bytes: as objects an account of a million would need more than a gigabyte, as bytes it needs less than a tenth of that.
import type { LightChat } from './light.ts';
import { isPlainChatId } from './names.ts';
import { createPacking, type PackedRecords } from './packing.ts';

/** Codes of the digits of numbers to base 36. */
const digits = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (digit) => digit.charCodeAt(0));

const has = { holders: 1, greeting: 2, queue_seconds: 4, client_id: 8, is_replied: 16, country_code: 32 } as const;

/** Whether all of a chat can be packed: what an open one has besides cannot, nor can numbers that are not whole. */
export const isPackable = ({ open, goals }: LightChat): boolean =>
  open === undefined && goals.every(({ price }) => Number.isInteger(price) && Math.abs(price) < 2 ** 51);

/** Packs chats and unpacks them again. */
export function createPacker() {
  const packing = createPacking();
  const { put, putSigned, putWord, putList, take, takeSigned, takeWord, takeList } = packing;
  const putId = (id: string): void => {
    put(isPlainChatId(id) ? 0 : id.length);
    if (isPlainChatId(id)) for (const half of [id.slice(0, 5), id.slice(5)]) put(Number.parseInt(half, 36));
    else for (let index = 0; index < id.length; index++) put(id.charCodeAt(index));
  };
  const codes: number[] = [];
  const takeHalf = (from: number): void => {
    let left = take();
    for (let place = from + 4; place >= from; place--) {
      codes[place] = digits[left % 36]!;
      left = Math.floor(left / 36);
    }
  };
  const takeId = (): string => {
    const length = take();
    if (length === 0) {
      takeHalf(0);
      takeHalf(5);
      return String.fromCharCode(...codes);
    }
    let id = '';
    for (let left = length; left > 0; left--) id += String.fromCharCode(take());
    return id;
  };

  const packer = {
    /** A view of the packed chat, good until the next one is packed. */
    pack({ id, started, ...chat }: LightChat): Uint8Array {
      packing.begin();
      putId(id);
      put(
        (chat.holders ? has.holders : 0) +
          (chat.greeting === null ? 0 : has.greeting) +
          (chat.queue_seconds === null ? 0 : has.queue_seconds) +
          (chat.client_id === undefined ? 0 : has.client_id) +
          (chat.is_replied ? has.is_replied : 0) +
          (chat.country_code === undefined ? 0 : has.country_code),
      );
      putSigned(started);
      putSigned(chat.ended - started);
      putList(chat.agents, putWord);
      if (chat.holders) putList(chat.holders, putWord);
      putList(chat.groups, putSigned);
      if (chat.client_id !== undefined) putWord(chat.client_id);
      if (chat.country_code !== undefined) putWord(chat.country_code);
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
      let answering: string | undefined;
      putList(chat.turns, ({ agent, seconds }) => {
        // Most are by the agent of the one before.
        putSigned(2 * seconds + Number(agent !== answering));
        if (agent !== answering) putWord(agent);
        answering = agent;
      });
      return packing.written();
    },
    /** The id alone of the chat that stands there. */
    idAt(records: PackedRecords, place: number): string {
      records.goTo(packing, place);
      return takeId();
    },
    /** The bytes of the packed chat that stands there. */
    bytesAt(records: PackedRecords, place: number): Uint8Array {
      packer.unpack(records, place, 0);
      return records.readFrom(packing, place);
    },
    /** Numbers are not packed. */
    unpack(records: PackedRecords, place: number, number: number): LightChat {
      records.goTo(packing, place);
      const id = takeId();
      const flags = take();
      const is = (flag: number): boolean => (flags & flag) !== 0;
      const started = takeSigned();
      const ended = started + takeSigned();
      const agents = takeList(takeWord);
      const holders = is(has.holders) ? { holders: takeList(takeWord) } : undefined;
      const groups = takeList(takeSigned);
      const client = is(has.client_id) ? { client_id: takeWord() } : undefined;
      const country = is(has.country_code) ? { country_code: takeWord() } : undefined;
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
      let agent = '';
      const turns = takeList(() => {
        const answered = takeSigned();
        const is_other = answered % 2 !== 0;
        if (is_other) agent = takeWord();
        return { agent, seconds: (answered - Number(is_other)) / 2 };
      });
      return {
        ...{ number, id, started, ended, agents },
        ...holders,
        groups,
        ...client,
        ...country,
        ...{ engagement, greeting, queue_seconds, ratings, tags, goals },
        ...{ is_replied: is(has.is_replied), first: turns[0] ?? null, turns },
      };
    },
  };
  return packer;
}
