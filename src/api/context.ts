// The context of a request: the reader, the account, the snapshot, and the present or a past instant.
import type { Context } from 'hono';
import type { Caller, Rows } from '#auth/caller.ts';
import { contextIn, type WarehouseAccount, type QueryContext } from '#warehouse/query/context.ts';
import { DamagedWarehouse, Refused } from '#warehouse/errors.ts';
import type { Engine } from '#warehouse/engine.ts';
import { millisecondsOf } from '#warehouse/periods.ts';
import { isPartial, localReader, type Reader } from '#warehouse/query/reader.ts';
import type { ApiDeps, OpenSnapshot, ListedSnapshot, SqlAsker } from './deps.ts';
import { Declined } from './errors.ts';
import { onlyOne, type QueryTexts } from './question.ts';

/** A context whose snapshot is not open yet: enough to tell whether the answer is cached. */
export interface Unopened {
  reader: Reader;
  account: WarehouseAccount;
  /** Id of the snapshot. */
  snapshot: string;
  /** Unix seconds: the present, or the requested instant. */
  now: number;
  /** ISO instant, when the question is about the past. */
  as_of?: string;
  /** `ofFile`: of the snapshot's file itself, whatever answers questions. */
  open(how?: { ofFile: boolean }): Promise<QueryContext>;
}

/** The newest snapshot. Errors: Declined, if there is none. */
export function snapshotOf(deps: ApiDeps): OpenSnapshot {
  const snapshot = deps.snapshot();
  if (!snapshot) throw new Declined('unavailable', 'nothing is published yet: the first pull is still running');
  return snapshot;
}

/** Why something is done elsewhere. */
export const pulledElsewhere = 'accounts of several data folders are read from a database here';

/** The engine of a snapshot's file. Errors: Declined, where there is none. */
export function fileOf({ whole, engine }: OpenSnapshot): Engine {
  if (whole === null)
    throw new Declined(
      'conflict',
      `${pulledElsewhere}, and there is no file of them: SQL, Parquet and downloads are had where they are pulled`,
    );
  return whole ?? engine;
}

/** Now, in Unix seconds. */
export const nowOf = (deps: ApiDeps): number => Math.floor(deps.clock() / 1000);

/** Who asks, as the guard found out. Errors: Declined, where it was not asked. */
export function callerIn(c: Context): Caller {
  const caller = c.get('caller');
  if (!caller) throw new Declined('unauthorized', 'sign in, or send Authorization: Bearer <token>');
  return caller;
}

/** The signed-in user. Errors: Declined, to a token and to the owner of an open machine. */
export function userIn(c: Context): { id: string; session?: string } {
  const { user, session, reader } = callerIn(c);
  // A reader under an agreement on figures of agents is another object.
  if (!user && reader.id === localReader.id)
    throw new Declined(
      'forbidden',
      'this needs a user, and there is none yet: make the first admin (POST /api/first-admin, or "Let others in" on the pages), then sign in',
    );
  if (!user) throw new Declined('forbidden', 'this is for somebody who has signed in, not for a token');
  return { id: user.id, ...(session === undefined ? {} : { session }) };
}

/** As JSON. */
export const plainRows = ({ accounts, groups, agent }: Rows) => ({
  ...(accounts ? { accounts: [...accounts] } : {}),
  ...(groups ? { groups: [...groups] } : {}),
  ...(agent === undefined ? {} : { agent }),
});

/** The reader who asks. */
export const readerOf = (c: Context): Reader => callerIn(c).reader;

/** Who asks SQL, with the role that limits it. */
export function askerOf(c: Context): SqlAsker {
  const { reader, role } = callerIn(c);
  return { reader: reader.id, role };
}

/** Whether a reader may see all chats of all accounts, if without names. */
export const seesAll = (reader: Reader): boolean => !isPartial(reader) && !reader.rows?.accounts;

/** `what` is visible only to readers of all chats. Errors: Declined. */
export function assertSeesAll(reader: Reader, what: string): void {
  if (!seesAll(reader))
    throw new Declined('forbidden', `${what}: only for readers who may see all chats of all accounts`);
}

/** `what` is done where an account is pulled. Errors: Declined. */
export function assertPulledHere({ readsAll }: ApiDeps, what: string): void {
  if (readsAll) throw new Declined('conflict', `${what} where the account is pulled: ${pulledElsewhere}`);
}

/** Only readers of everything, with all names, may read the published file. `what` they are refused. Errors: Declined. */
export function assertReadsFile(reader: Reader, what: string): void {
  assertSeesAll(reader, what);
  if (reader.rows)
    throw new Declined(
      'forbidden',
      `${what} names visitors and agents: it needs the rights agents:read and names:read`,
    );
}

/** The accounts that a reader may ask about. */
export const accountsOf = (deps: ApiDeps, { rows }: Reader): readonly WarehouseAccount[] =>
  deps.accounts().filter(({ id }) => rows?.accounts?.includes(id) ?? true);

/** The account a question is about: the named one, or the only one. Errors: Refused. */
export function accountOf(deps: ApiDeps, reader: Reader, id: string | undefined): WarehouseAccount {
  const accounts = accountsOf(deps, reader);
  if (accounts.length === 0) throw new Declined('forbidden', 'you may see none of the accounts');
  const ids = accounts.map((account) => account.id);
  const found = id === undefined ? accounts[0] : accounts.find((account) => account.id === id);
  if (!found) throw new Refused('account', `there is no account ${id ?? ''}, only ${ids.join(', ')}`, ids);
  if (id === undefined && accounts.length > 1)
    throw new Refused('account', `there are several accounts: say account=${ids.join(' or account=')}`, ids);
  return found;
}

/** Milliseconds since 1970. Errors: Refused. */
function instantIn(as_of: string): number {
  const instant = as_of.replace(/ (?=\d\d:\d\d$)/, '+'); // a plus sign in an address arrives as a space
  const milliseconds = millisecondsOf(instant);
  if (Number.isNaN(milliseconds))
    throw new Refused('as_of', `as_of=${as_of} is not an instant, write it as 2026-11-01T08:00:00Z or with +01:00`);
  return milliseconds;
}

/** The newest snapshot published at or before an instant. Errors: Refused, naming the oldest one available. */
async function storedAsOf(deps: ApiDeps, as_of: string): Promise<ListedSnapshot> {
  const instant = instantIn(as_of);
  if (instant > deps.clock()) throw new Refused('as_of', `as_of=${as_of} lies in the future: leave it out to ask now`);
  const kept = await deps.snapshots.list();
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

/** Opens a kept snapshot by id; the served one is already open. Errors: Declined, if it cannot be read. */
export async function openNamed(deps: ApiDeps, id: string): Promise<OpenSnapshot> {
  const served = deps.snapshot();
  if (served?.id === id) return served;
  try {
    return await deps.snapshots.open(id);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    // The snapshot may have been deleted since it was listed: an expected error, logged without its stack.
    deps.log?.(error.message);
    throw new Declined(
      'not_found',
      `the snapshot ${id} is damaged or gone: GET /api/snapshots lists those that are kept`,
    );
  }
}

/** The newest snapshot, or the newest of those published at or before an instant. Errors: Refused; Declined. */
export async function snapshotAsOf(deps: ApiDeps, as_of: string | undefined): Promise<OpenSnapshot> {
  return as_of === undefined ? snapshotOf(deps) : openNamed(deps, (await storedAsOf(deps, as_of)).id);
}

/** Which snapshot a question is about, not open yet, and as of when. */
interface AskedSnapshot extends Pick<Unopened, 'snapshot' | 'now' | 'as_of'> {
  openSnapshot(): Promise<OpenSnapshot>;
}

/** The newest snapshot, or that of the instant `as_of`. Errors: Refused; Declined, while nothing is published. */
export async function askedSnapshot(deps: ApiDeps, asked: QueryTexts): Promise<AskedSnapshot> {
  const instant = onlyOne(asked, 'as_of');
  if (instant === undefined) {
    const served = snapshotOf(deps);
    return { snapshot: served.id, now: nowOf(deps), openSnapshot: () => Promise.resolve(served) };
  }
  const { id } = await storedAsOf(deps, instant);
  const milliseconds = instantIn(instant);
  return {
    ...{ snapshot: id, now: Math.floor(milliseconds / 1000), as_of: new Date(milliseconds).toISOString() },
    openSnapshot: () => openNamed(deps, id),
  };
}

/** The context of a question with these parameters. Errors: Refused; Declined, while nothing is published. */
export async function contextOf(deps: ApiDeps, c: Context, asked: QueryTexts): Promise<Unopened> {
  const named = onlyOne(asked, 'account');
  const reader = readerOf(c);
  const { openSnapshot, ...about } = await askedSnapshot(deps, asked);
  const account = accountOf(deps, reader, named);
  const open: Unopened['open'] = async ({ ofFile } = { ofFile: false }) => {
    const snapshot = await openSnapshot();
    return contextIn(reader, ofFile ? { ...snapshot, engine: fileOf(snapshot) } : snapshot, account, about.now);
  };
  return { ...about, reader, account, open };
}
