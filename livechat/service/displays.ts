// Greetings that were shown, by time: eight bytes each, and twice that where a chat came from it.
import { createColumns, firstPlace } from './columns.ts';
import { isPlainChatId } from './names.ts';
import type { GreetingDisplay } from './records.ts';

type Source = Pick<GreetingDisplay, 'greeting' | 'group'>;

/** In the place of the first half of an id: the second is the place of an id that is not plain. Halves are below 36⁵. */
const other = 2 ** 32 - 1;

const halfOf = (number: number): string => number.toString(36).toUpperCase().padStart(5, '0');

export function createDisplays() {
  const lone = createColumns(['at', 'source']);
  /** A plain id is two numbers. */
  const followed = createColumns(['at', 'source', 'id', 'id_goes_on']);
  const others: string[] = [];
  const sources: Source[] = [];
  const numbers = new Map<string, number>();

  function sourceOf({ greeting, group }: Source): number {
    const key = `${greeting} ${group}`;
    const had = numbers.get(key);
    if (had !== undefined) return had;
    numbers.set(key, sources.length);
    return sources.push({ greeting, group }) - 1;
  }
  function idAt(place: number): string {
    const [id, id_goes_on] = [followed.of.id[place]!, followed.of.id_goes_on[place]!];
    return id === other ? others[id_goes_on]! : halfOf(id) + halfOf(id_goes_on);
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
        const id = isPlainChatId(chat_id) ? Number.parseInt(chat_id.slice(0, 5), 36) : other;
        const id_goes_on = id === other ? others.push(chat_id) - 1 : Number.parseInt(chat_id.slice(5), 36);
        followed.insert(placeOf(followed, at, false), { at, source, id, id_goes_on });
      }
    },
    /** The earliest, or Infinity without any. */
    earliest: (): number =>
      Math.min(...[lone, followed].map(({ length, of: { at } }) => (length > 0 ? at[0]! : Infinity))),
    /** Those at or after `from` and up to `to`. */
    *between(from: number, to: number): Generator<GreetingDisplay> {
      for (let place = placeOf(lone, from, true); place < lone.length && lone.of.at[place]! <= to; place++)
        yield { at: lone.of.at[place]!, ...sources[lone.of.source[place]!]!, chat_id: null };
      const { at, source } = followed.of;
      for (let place = placeOf(followed, from, true); place < followed.length && at[place]! <= to; place++)
        yield { at: at[place]!, ...sources[source[place]!]!, chat_id: idAt(place) };
    },
  };
}
