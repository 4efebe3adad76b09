// The snapshot that a question is put to, and the moment at which it is asked: now, or as known on a past instant.
import { DamagedWarehouse, Refused } from '#warehouse/errors.ts';
import { snapshotOf } from './answers.ts';
import type { Door, OpenSnapshot, ShelvedSnapshot } from './door.ts';
import { Declined } from './errors.ts';

export interface Moment {
  /** Id of the snapshot. */
  snapshot: string;
  /** Unix seconds: the present, or the instant that was asked for. States are those of this moment. */
  now: number;
  /** ISO instant, when the question is about the past. */
  as_of?: string;
  open(): Promise<OpenSnapshot>;
}

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970. Errors: Refused. */
function instantIn(as_of: string): number {
  const instant = as_of.replace(/ (?=\d\d:\d\d$)/, '+'); // a plus sign in an address arrives as a space
  const milliseconds = shape.test(instant) ? Date.parse(instant) : NaN;
  if (Number.isNaN(milliseconds))
    throw new Refused('as_of', `as_of=${as_of} is not an instant, write it as 2026-11-01T08:00:00Z or with +01:00`);
  return milliseconds;
}

/** The newest snapshot published at or before an instant. Errors: Refused, naming the oldest that there is. */
async function shelvedAsOf(door: Door, as_of: string): Promise<ShelvedSnapshot> {
  const instant = instantIn(as_of);
  if (instant > door.clock()) throw new Refused('as_of', `as_of=${as_of} lies in the future: leave it out to ask now`);
  const kept = await door.shelf.list();
  const found = kept.findLast(({ published_at }) => Date.parse(published_at) <= instant);
  if (found) return found;
  const oldest = kept[0];
  if (!oldest) throw new Refused('as_of', 'nothing is published yet: the first pull is still running');
  throw new Refused(
    'as_of',
    `no snapshot is kept from ${as_of} or before; the oldest is ${oldest.id}, published at ${oldest.published_at}`,
    [oldest.published_at],
  );
}

/** The snapshot of that time, opened. Errors: Refused. */
export async function snapshotAsOf(door: Door, instant: string): Promise<OpenSnapshot> {
  return openNamed(door, (await shelvedAsOf(door, instant)).id);
}

/** A kept snapshot by its id, opened; the served one is open already. Errors: Declined, when it cannot be read. */
export async function openNamed(door: Door, id: string): Promise<OpenSnapshot> {
  const served = door.snapshot();
  if (served?.id === id) return served;
  try {
    return await door.shelf.open(id);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    door.log?.(error);
    throw new Declined(
      'not_found',
      `the snapshot ${id} is damaged or gone: GET /api/snapshots lists those that are kept`,
    );
  }
}

/** Without `as_of` the newest snapshot at the present. Errors: Refused, Declined while nothing is published. */
export async function momentOf(door: Door, as_of: string | undefined): Promise<Moment> {
  if (as_of === undefined) {
    const served = snapshotOf(door);
    return { snapshot: served.id, now: Math.floor(door.clock() / 1000), open: () => Promise.resolve(served) };
  }
  const { id } = await shelvedAsOf(door, as_of);
  const instant = instantIn(as_of);
  return {
    snapshot: id,
    now: Math.floor(instant / 1000),
    as_of: new Date(instant).toISOString(),
    open: () => openNamed(door, id),
  };
}
