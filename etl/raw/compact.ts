// Compacts the answers of a day: of many to one question only those stay that leave a trace when they are played back.
import type { Queryable } from '#warehouse/engine.ts';
import { storedBodies, type StoredBodies } from './bodies.ts';
import type { Reading } from './readings.ts';

/** What an answer says, part by part. */
type PartTexts = ReadonlyMap<string, string>;

/** Hashes in one statement. */
const at_once = 2000;

/**
 * Keeps of each question and UTC day the first answer, the last two, and of each part of it the answer that changed it
 * last, with the one before; every failure. So each row and each time in the ledger comes out as if all were played.
 */
export async function compact(archive: Queryable, readings: readonly Reading[]): Promise<Reading[]> {
  const questions = [...Map.groupBy(readings, ({ unit }) => JSON.stringify(unit)).values()];
  const long = questions.map((of) => of.filter(isGood)).filter((good) => good.length > 3);
  const bodies = await bodiesOf(archive, long.flat());
  const left = new Set<Reading>();
  for (const good of long) {
    const told = telling(good.map((reading) => partsOf(reading, bodies)));
    for (const [place, reading] of good.entries()) if (!told.has(place)) left.add(reading);
  }
  const last = new Set(questions.map((of) => of.at(-1)));
  return readings
    .filter((reading) => !left.has(reading))
    .map((reading) => (last.has(reading) || !isGood(reading) ? reading : { ...reading, times: 1 }));
}

const isGood = ({ outcome }: Reading): boolean => !outcome.failure;

/** Places of the versions that leave a trace. */
export function telling(versions: readonly PartTexts[]): Set<number> {
  const changed = new Map<string, number>();
  for (const [place, version] of versions.entries()) {
    const before = versions[place - 1];
    if (!before) continue;
    for (const part of new Set([...version.keys(), ...before.keys()]))
      if (version.get(part) !== before.get(part)) changed.set(part, place);
  }
  const told = new Set([0, versions.length - 2, versions.length - 1]);
  for (const place of changed.values()) told.add(place - 1).add(place);
  return told;
}

async function bodiesOf(archive: Queryable, readings: readonly Reading[]): Promise<StoredBodies> {
  const hashes = readings.flatMap(({ unit, usable }) => (unit.kind === 'archive' ? [] : usable.slice(-1)));
  const bodies = new Map<string, { form: string; body: string }>();
  for (let from = 0; from < hashes.length; from += at_once)
    for (const [hash, body] of await storedBodies(archive, hashes.slice(from, from + at_once))) bodies.set(hash, body);
  return bodies;
}

/**
 * A report by day says something of each day, one by weekday of several; everything else is one part. Of the agents it
 * also counts who is there, because one who is gone stays as he was last.
 */
function partsOf({ unit, usable, signature }: Reading, bodies: StoredBodies): PartTexts {
  const text = bodies.get(usable.at(-1) ?? '')?.body;
  if (text === undefined) return new Map([['', signature]]);
  if (unit.kind === 'list') return new Map([['', text], ...(unit.list === 'agents' ? loginsIn(text) : [])]);
  const body = JSON.parse(text) as unknown;
  const parts = new Map<string, string>();
  for (const [label, each] of Object.entries(body ?? {})) {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(label)?.[0] ?? '';
    parts.set(day, `${parts.get(day) ?? ''} ${label} ${JSON.stringify(each)}`);
  }
  return parts;
}

function loginsIn(text: string): [string, string][] {
  const agents = JSON.parse(text) as unknown;
  if (!Array.isArray(agents)) return [];
  return agents.map((agent: { login?: unknown } | null) => [String(agent?.login), 'here']);
}
