// The context in which a request asks: who asks, whose numbers, of which snapshot, now or as known on a past instant.
import type { Context } from 'hono';
import { contextIn, type Account, type QueryContext } from '#warehouse/context.ts';
import { DamagedWarehouse, Refused } from '#warehouse/errors.ts';
import { onlyOne, type Question } from '#warehouse/question.ts';
import { localReader, type Reader } from '#warehouse/reader.ts';
import type { Door, OpenSnapshot, ShelvedSnapshot } from './door.ts';
import { Declined } from './errors.ts';

/** A context before its snapshot is opened: what is known of it tells whether the answer is kept already. */
export interface Unopened {
  reader: Reader;
  account: Account;
  /** Id of the snapshot. */
  snapshot: string;
  /** Unix seconds: the present, or the instant that was asked for. */
  now: number;
  /** ISO instant, when the question is about the past. */
  as_of?: string;
  open(): Promise<QueryContext>;
}

/** The newest snapshot. Errors: Declined, while there is none. */
export function snapshotOf(door: Door): OpenSnapshot {
  const snapshot = door.snapshot();
  if (!snapshot) throw new Declined('unavailable', 'nothing is published yet: the first pull is still running');
  return snapshot;
}

/** Now, in Unix seconds. */
export const nowOf = (door: Door): number => Math.floor(door.clock() / 1000);

/** Who asks. */
export const readerOf = (door: Door, c: Context): Reader => door.reader?.(c.req.raw) ?? localReader;

/** `what` is told to those only who may see every row. Errors: Declined. */
export function assertSeesAll({ rows }: Reader, what: string): void {
  if (rows) throw new Declined('forbidden', `${what}: only for readers who may see all chats of all accounts`);
}

/** The accounts that a reader may ask about. */
export const accountsOf = (door: Door, { rows }: Reader): readonly Account[] =>
  door.accounts().filter(({ id }) => rows?.accounts?.includes(id) ?? true);

/** The account a question is about: the named one, or the only one. Errors: Refused. */
export function accountOf(door: Door, reader: Reader, id: string | undefined): Account {
  const accounts = accountsOf(door, reader);
  if (accounts.length === 0) throw new Declined('forbidden', 'you may see none of the accounts');
  const ids = accounts.map((account) => account.id);
  const found = id === undefined ? accounts[0] : accounts.find((account) => account.id === id);
  if (!found) throw new Refused('account', `there is no account ${id ?? ''}, only ${ids.join(', ')}`, ids);
  if (id === undefined && accounts.length > 1)
    throw new Refused('account', `there are several accounts: say account=${ids.join(' or account=')}`, ids);
  return found;
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

/** A kept snapshot by its id, opened; the served one is open already. Errors: Declined, when it cannot be read. */
export async function openNamed(door: Door, id: string): Promise<OpenSnapshot> {
  const served = door.snapshot();
  if (served?.id === id) return served;
  try {
    return await door.shelf.open(id);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    // It may have been deleted since it was listed: what happened is known, and where in the program tells nothing.
    door.log?.(error.message);
    throw new Declined(
      'not_found',
      `the snapshot ${id} is damaged or gone: GET /api/snapshots lists those that are kept`,
    );
  }
}

/** The context of a question with these parameters. Errors: Refused; Declined, while nothing is published. */
export async function contextOf(door: Door, c: Context, asked: Question): Promise<Unopened> {
  const [named, instant] = [onlyOne(asked, 'account'), onlyOne(asked, 'as_of')];
  const reader = readerOf(door, c);
  if (instant === undefined) {
    const served = snapshotOf(door);
    const [account, now] = [accountOf(door, reader, named), nowOf(door)];
    return { reader, account, snapshot: served.id, now, open: () => contextIn(reader, served, account, now) };
  }
  const { id } = await shelvedAsOf(door, instant);
  const account = accountOf(door, reader, named);
  const milliseconds = instantIn(instant);
  const now = Math.floor(milliseconds / 1000);
  return {
    ...{ reader, account, snapshot: id, now, as_of: new Date(milliseconds).toISOString() },
    open: async () => contextIn(reader, await openNamed(door, id), account, now),
  };
}
