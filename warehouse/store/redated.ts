// Snapshots that were published while this machine's clock ran ahead: `published/redated.json` says by id when they were published at the
// latest, in place of the time in their id.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const written = z.record(z.string(), z.iso.datetime());
const fileOf = (folder: string): string => join(folder, 'redated.json');

const textIn = (folder: string): Promise<string> =>
  readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });

/** Milliseconds since 1970, by id. What is damaged in it tells nothing (`damageOfRedated`). Errors: it cannot be read. */
export async function redated(folder: string): Promise<ReadonlyMap<string, number>> {
  const text = await textIn(folder);
  const entries = Object.entries(parsed(text)).map(([id, instant]) => [id, Date.parse(String(instant))] as const);
  return new Map(entries.filter(([, at]) => !Number.isNaN(at)));
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** What is wrong with the file, and what to do; null: nothing. Errors: it cannot be read. */
export async function damageOfRedated(folder: string): Promise<string | null> {
  try {
    written.parse(JSON.parse(await textIn(folder)));
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    const consequence = 'of a clock that ran ahead count as published at the time in their ids';
    const remedy = 'put it back from a backup, or remove it if there is none';
    return `${fileOf(folder)} must hold {"<snapshot id>": "<instant>"}: snapshots ${consequence}; ${remedy}`;
  }
}

export async function writeRedated(folder: string, times: ReadonlyMap<string, number>): Promise<void> {
  const all = Object.fromEntries([...times].map(([id, at]) => [id, new Date(at).toISOString()]));
  const fresh = `${fileOf(folder)}.new`;
  await writeFile(fresh, `${JSON.stringify(all, null, 2)}\n`);
  await rename(fresh, fileOf(folder));
}

/** A clock is set back by so much without a word; milliseconds. */
export const unnoticed_ms = 120_000;
/** Seconds by which a clock may differ from the source's and still be called right. */
const most_skew_s = 86_400;

/**
 * New times of those that lie ahead: their distances stay, the last one is just before `now`, and none comes before one that does not lie
 * ahead. Nothing while the source does not say, or says that this clock is wrong (`skew`: seconds by which its own is ahead of it).
 * `times`: milliseconds by id, oldest first.
 */
export function setBack(
  times: readonly (readonly [id: string, at: number])[],
  now: number,
  skew: number | null,
): Map<string, number> {
  if (skew === null || Math.abs(skew) >= most_skew_s) return new Map();
  const latest = now + Math.max(skew, 0) * 1000 + unnoticed_ms;
  const ahead = times.filter(([, at]) => at > latest);
  const [last, before] = [ahead.at(-1)?.[1] ?? 0, times.findLast(([, at]) => at <= latest)?.[1] ?? -Infinity];
  let least = Math.min(before, now - 1 - ahead.length);
  return new Map(
    ahead.map(([id, at]) => {
      least = Math.max(least + 1, at - last + now - 1);
      return [id, least];
    }),
  );
}
