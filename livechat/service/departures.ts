// Visitors who left the queue without a chat, by the instant of leaving.
import { createColumns, firstPlace } from './columns.ts';
import type { QueueDeparture } from './records.ts';

export function createDepartures() {
  const columns = createColumns(['left', 'queued', 'group']);
  return {
    put({ left, queued, group }: QueueDeparture): void {
      const place = firstPlace(columns.of.left, columns.length, left, { or_same: false });
      columns.insert(place, { left, queued, group });
    },
    /** The earliest, or Infinity without any. */
    earliest: (): number => (columns.length > 0 ? columns.of.left[0]! : Infinity),
    /** Those who left at or after `from` and up to `to`. */
    *between(from: number, to: number): Generator<Omit<QueueDeparture, 'visitor_id'>> {
      const { left, queued, group } = columns.of;
      for (
        let place = firstPlace(left, columns.length, from, { or_same: true });
        place < columns.length && left[place]! <= to;
        place++
      )
        yield { left: left[place]!, queued: queued[place]!, group: group[place]! };
    },
  };
}
