// A disk that takes up at the beginning of each run what was written by then, and ends a run when it is told.
import { createDurability } from '#service/durability.ts';

export function slowDisk() {
  const state = { written: 0, on_disk: 0, runs: 0 };
  const ends: ((error?: Error) => void)[] = [];
  const durability = createDurability(async () => {
    const taken = state.written;
    state.runs += 1;
    await new Promise<void>((done, fail) => ends.push((error) => (error ? fail(error) : done())));
    state.on_disk = Math.max(state.on_disk, taken);
  });
  return { state, ends, durability };
}
