// When goals were reached, and in which chats, by time: few chats have one.
import { createColumns, firstPlace } from './columns.ts';
import type { LightChat } from './light.ts';

export function createGoalMoments() {
  const columns = createColumns(['at', 'number']);
  const place = (at: number): number => firstPlace(columns.of.at, columns.length, at, { or_same: true });
  return {
    /** Adds those of a chat; call `arrange` before anybody reads. */
    add({ number, goals }: LightChat): void {
      for (const { at } of goals) columns.insert(columns.length, { at, number });
    },
    arrange(): void {
      const { at } = columns.of;
      columns.arrange(
        Uint32Array.from({ length: columns.length }, (_, index) => index).sort((a, b) => at[a]! - at[b]!),
      );
    },
    put({ number, goals }: LightChat): void {
      for (const { at } of goals) columns.insert(place(at), { at, number });
    },
    /** @throws when it was not put. */
    remove({ number, goals }: LightChat): void {
      for (const { at } of goals) {
        let own = place(at);
        while (own < columns.length && columns.of.number[own] !== number) own++;
        if (own === columns.length) throw new Error(`the goal of chat ${number} at ${at} was never put`);
        columns.remove(own);
      }
    },
    /** Numbers of the chats with one at or after `from` and before `to`, ascending. */
    numbersIn(from: number, to: number): Uint32Array {
      const all = columns.of.number.slice(place(from), Math.max(place(from), place(to))).sort();
      return all.filter((number, index) => number !== all[index - 1]);
    },
  };
}
