// Greetings that were shown, by time: eight bytes each, and twice that where a chat came from it.
import { createColumns, firstPlace } from './columns.ts';
import type { GreetingDisplay } from './records.ts';

type Source = Pick<GreetingDisplay, 'greeting' | 'group'>;

const halfOf = (number: number): string => number.toString(36).toUpperCase().padStart(5, '0');

export function createDisplays() {
  const lone = createColumns(['at', 'source']);
  /** Ids of chats are ten capitals and digits: two numbers. */
  const followed = createColumns(['at', 'source', 'id', 'id_goes_on']);
  const sources: Source[] = [];
  const numbers = new Map<string, number>();

  function sourceOf({ greeting, group }: Source): number {
    const key = `${greeting} ${group}`;
    const had = numbers.get(key);
    if (had !== undefined) return had;
    numbers.set(key, sources.length);
    return sources.push({ greeting, group }) - 1;
  }
  type Timed = Pick<typeof lone, 'length'> & { of: { at: Uint32Array } };
  const placeOf = ({ of, length }: Timed, at: number, or_same: boolean): number =>
    firstPlace(of.at, length, at, { or_same });

  return {
    /** Days come in order; wherever it comes from, a display takes its place. */
    put(display: GreetingDisplay): void {
      const { at, chat_id } = display;
      const source = sourceOf(display);
      if (chat_id === null) lone.insert(placeOf(lone, at, false), { at, source });
      else {
        const [id, id_goes_on] = [chat_id.slice(0, 5), chat_id.slice(5)].map((half) => Number.parseInt(half, 36));
        followed.insert(placeOf(followed, at, false), { at, source, id: id!, id_goes_on: id_goes_on! });
      }
    },
    /** The earliest, or Infinity without any. */
    earliest: (): number =>
      Math.min(...[lone, followed].map(({ length, of: { at } }) => (length > 0 ? at[0]! : Infinity))),
    /** Those at or after `from` and up to `to`. */
    *between(from: number, to: number): Generator<GreetingDisplay> {
      for (let place = placeOf(lone, from, true); place < lone.length && lone.of.at[place]! <= to; place++)
        yield { at: lone.of.at[place]!, ...sources[lone.of.source[place]!]!, chat_id: null };
      const { at, source, id, id_goes_on } = followed.of;
      for (let place = placeOf(followed, from, true); place < followed.length && at[place]! <= to; place++)
        yield { at: at[place]!, ...sources[source[place]!]!, chat_id: halfOf(id[place]!) + halfOf(id_goes_on[place]!) };
    },
  };
}
