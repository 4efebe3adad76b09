// Puts bodies and chats into the raw archive, each text once.
import { rawBodies, rawChats } from '#warehouse/tables.ts';
import type { Engine } from '#warehouse/engine.ts';
import type { FlatRow } from '../decode/chats.ts';
import type { Kept } from './pages.ts';

/** Who asked, and when (Unix seconds). */
export interface Asking {
  account: string;
  pull_id: string;
  now: number;
}

/** A body and the period that it was asked for. */
export type PeriodBody = readonly [Kept, string];

/** Texts as a list of literals. */
export const listed = (engine: Engine, texts: readonly string[]): string =>
  texts.map((text) => engine.dialect.literal(text, 'text')).join(', ');

/** Versions of chats that are not there yet, found day by day: a chat seldom changes the day it is listed under. */
export async function storeChats(
  engine: Engine,
  { account, pull_id, now }: Asking,
  bodies: readonly PeriodBody[],
): Promise<void> {
  const fresh = new Map<string, FlatRow>();
  for (const [{ chats }, period] of bodies)
    for (const chat of chats)
      fresh.set(`${period} ${chat.hash}`, { account, period, ...chat, received_at: now, pull_id });
  if (fresh.size === 0) return;
  const periods = [...new Set([...fresh.values()].map(({ period }) => String(period)))];
  const known = await engine.query(
    `select period, hash
     from raw.chats
     where account = ${engine.dialect.param('account', 'text')}
       and period in (${listed(engine, periods)})`,
    { account },
  );
  for (const { period, hash } of known) fresh.delete(`${String(period)} ${String(hash)}`);
  await engine.load(rawChats, [...fresh.values()]);
}

export async function storeBodies(engine: Engine, kept: readonly PeriodBody[]): Promise<void> {
  const fresh = new Map(kept.map(([{ hash, form, body }]) => [hash, { hash, form, body }]));
  if (fresh.size === 0) return;
  const known = await engine.query(`select hash from raw.bodies where hash in (${listed(engine, [...fresh.keys()])})`);
  for (const { hash } of known) fresh.delete(String(hash));
  await engine.load(rawBodies, [...fresh.values()]);
}
