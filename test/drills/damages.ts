// The ways in which a file is damaged, chosen by a seed.
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '#service/world/random.ts';

export interface Damage {
  /** 1-based. */
  number: number;
  /** The folder it happens to: closed cleanly, or left by a kill with logs. */
  state: 'closed' | 'killed';
  file: 'warehouse' | 'raw' | 'snapshot';
  how: string;
  inflict(folder: string): void;
}

const pathOf = (folder: string, file: Damage['file']): string => {
  if (file === 'warehouse') return join(folder, 'warehouse', 'chatledger.duckdb');
  if (file === 'raw') return join(folder, 'warehouse', 'archive.duckdb');
  const kept = join(folder, 'published', 'snapshots');
  return join(kept, readdirSync(kept).sort().at(-1) ?? '');
};

type Way = (bytes: Buffer, random: Random) => Buffer;

const ways: Record<string, Way> = {
  'one bit flipped': (bytes, random) => flip(bytes, random, 1),
  'bytes flipped': (bytes, random) => flip(bytes, random, random.between(2, 64)),
  'a stretch of zeros': (bytes, random) => {
    const from = random.between(0, bytes.length - 1);
    return bytes.fill(0, from, Math.min(bytes.length, from + random.between(1, 65_536)));
  },
  'cut off': (bytes, random) => bytes.subarray(0, random.between(0, bytes.length - 1)),
  'a stretch of another place': (bytes, random) => {
    const [from, to] = [random.between(0, bytes.length - 1), random.between(0, bytes.length - 1)];
    bytes.copy(bytes, to, from, Math.min(bytes.length, from + random.between(1, 262_144)));
    return bytes;
  },
};

function flip(bytes: Buffer, random: Random, times: number): Buffer {
  for (let left = times; left > 0; left -= 1) {
    const place = random.between(0, bytes.length - 1);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random.between(0, 7));
  }
  return bytes;
}

/** A file or its log; half of the time the file looks as old as before, as when a disk decays. */
export function* damages(copies: number, seed: number): Generator<Damage, undefined> {
  for (let number = 1; number <= copies; number += 1) {
    const random = new Random(seed, 'damage', number);
    const file = random.pick(['warehouse', 'warehouse', 'raw', 'raw', 'snapshot'] as const);
    const state = file === 'snapshot' ? 'closed' : random.pick(['closed', 'killed'] as const);
    const isLog = state === 'killed' && random.chance(0.6);
    const how = random.pick(Object.keys(ways));
    const keepsTime = random.chance(0.5);
    const inflict = (folder: string): void => {
      const path = `${pathOf(folder, file)}${isLog ? '.wal' : ''}`;
      if (!existsSync(path)) throw new Error(`${path} is not there to be damaged`);
      const { atime, mtime } = statSync(path);
      writeFileSync(path, ways[how]!(readFileSync(path), random));
      if (keepsTime) utimesSync(path, atime, mtime);
    };
    yield { number, state, file, how: `${isLog ? 'log ' : ''}${how}`, inflict };
  }
  return undefined;
}
