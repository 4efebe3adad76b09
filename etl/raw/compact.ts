// Compacts the answers of a day: of many to one question only those stay that leave a trace when they are played back.
import type { Queryable } from '#warehouse/engine.ts';
import { storedBodies, type StoredBodies } from './bodies.ts';
import type { Reading } from './readings.ts';

/** The content of an answer, part by part. */
type PartTexts = ReadonlyMap<string, string>;

/** Hashes in one statement. */
const at_once = 2000;

/**
 * Keeps the first and the last two answers per question and UTC day, for each part of an answer the last one that changed it and the one
 * before, and every failure. Rows and ledger times thus come out as if all answers were replayed.
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
 * A daily report has one part per day, a report by weekday covers several days; everything else is one part. For agents the parts include
 * who is present, because the row of a removed agent keeps its last state.
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
