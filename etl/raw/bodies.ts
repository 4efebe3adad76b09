// Puts bodies and chats into the raw archive, each text once, and finds them again by their hash.
import type { Queryable, Store } from '#warehouse/engine.ts';
import { bodiesNamed, chatBodies, chatsUnder, hashesHeld } from '#warehouse/raw/bodies.ts';
import { rawBodies, rawChats } from '#warehouse/tables/tables.ts';
import type { FlatRow } from '../decode/chats.ts';
import type { StoredRecord } from '../fetched.ts';
import { hashesIn, type PageBody } from './pages.ts';

/** Who asked, and when (Unix seconds). */
export interface PullContext {
  account: string;
  pull_id: string;
  now: number;
}

/** A body and the period that was asked for. */
export type PeriodBody = readonly [PageBody, string];

/** Stores new versions of chats, day by day: a chat rarely changes the day under which it is listed. */
export async function storeChats(
  engine: Store,
  { account, pull_id, now }: PullContext,
  bodies: readonly PeriodBody[],
): Promise<void> {
  const fresh = new Map<string, FlatRow>();
  for (const [{ chats }, period] of bodies)
    for (const chat of chats)
      fresh.set(`${period} ${chat.hash}`, { account, period, ...chat, received_at: now, pull_id });
  if (fresh.size === 0) return;
  const periods = [...new Set([...fresh.values()].map(({ period }) => String(period)))];
  for (const { period, hash } of await chatsUnder(engine, account, periods))
    fresh.delete(`${String(period)} ${String(hash)}`);
  await engine.load(rawChats, [...fresh.values()]);
}

export async function storeBodies(engine: Store, kept: readonly PeriodBody[]): Promise<void> {
  const fresh = new Map(kept.map(([{ hash, form, body }]) => [hash, { hash, form, body }]));
  if (fresh.size === 0) return;
  for (const hash of await hashesHeld(engine, [...fresh.keys()])) fresh.delete(hash);
  await engine.load(rawBodies, [...fresh.values()]);
}

export interface StoredBody {
  form: string;
  body: string;
}

/** Bodies as they are stored, by hash. */
export type StoredBodies = ReadonlyMap<string, StoredBody>;

/** @throws if the body is missing. */
export function bodyOf(bodies: StoredBodies, hash: string): StoredBody {
  const body = bodies.get(hash);
  if (!body) throw new Error(`the raw archive names the body ${hash}, and does not hold it`);
  return body;
}

export async function storedBodies(archive: Queryable, hashes: readonly string[]): Promise<StoredBodies> {
  const rows = await bodiesNamed(archive, hashes);
  return new Map(rows.map(({ hash, form, body }) => [String(hash), { form: String(form), body: String(body) }]));
}

/** Hashes of the chats on those pages. */
export const namedIn = (pages: readonly StoredBody[]): string[] =>
  pages.flatMap(({ form, body }) => (form === 'page' ? hashesIn(body) : []));

/** Chats of a period, by hash: the named ones, or all. */
export async function storedChats(
  archive: Queryable,
  account: string,
  period: string,
  hashes?: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const rows = await chatBodies(archive, account, period, hashes);
  return new Map(
    rows.map(({ hash, body, pull_id }) => [
      String(hash),
      { hash: String(hash), text: String(body), pull_id: String(pull_id) },
    ]),
  );
}
