// Whether a source that is asked in a new way still is the account whose chats are held: chats keep their ids for ever.
import { boundsOf, dayOf, endOf } from './days.ts';
import { recordsOf } from './decode/archives.ts';
import { AnotherAccount, Garbled, Final, Retryable, Unauthorized } from './errors.ts';
import { archiveUnit } from './plan/plan.ts';
import { hear, type Run } from './run.ts';
import type { SourceAccount } from './source.ts';
import type { ArchiveUnit } from './unit.ts';
import { askedUntil } from '#warehouse/ledger/periods.ts';
import { chatsNamed, chatsStartedIn, newestStartBefore } from '#warehouse/ledger/stored-rows.ts';

/** One day may be listed in part only, by a pull that was stopped. */
const most_days = 3;
/** Older chats may be gone at the source, by the time that its plan keeps them. */
const longest_kept_seconds = 30 * 86_400;
/** So many do not disappear one by one. */
const least_missed = 10;

type Asking = Pick<Run, 'account' | 'timezone' | 'engine' | 'gathering' | 'clock'> & Parameters<typeof hear>[0];

/**
 * Asks for the first page of some days that are held whole. True as well where nothing is held, or too little to be missed; false where
 * it cannot be told, because the archive does not answer.
 * @throws AnotherAccount when none of the chats held is listed; Unauthorized, Unreachable.
 */
export async function isAccountHeld(run: Asking, source: SourceAccount): Promise<boolean> {
  const { account, engine, timezone } = run;
  const days: string[] = [];
  let [held, listed] = [0, 0];
  for await (const day of daysHeld(run)) {
    const ids = await idsListed(run, archiveUnit({ ...source, timezone }, day));
    if (ids === undefined) return false;
    if (ids.length > 0 && (await chatsNamed(engine, account, ids)).length > 0) return true;
    days.unshift(day);
    listed += ids.length;
    held += (await chatsStartedIn(engine, account, boundsOf(day, timezone))).length;
  }
  const [from] = days;
  const to = days.at(-1);
  if (from === undefined || (listed === 0 && held < least_missed)) return true;
  const when = from === to ? `of ${from}` : `from ${from} to ${to}`;
  const which = held === 1 ? `the chat ${when} that is held` : `the ${held} chats ${when} that are held`;
  throw new AnotherAccount(`${source.base_url} lists none of ${which}, so this is another account`);
}

/** Local days on which chats that are held began, and that were asked for after their end; the newest first. */
async function* daysHeld({ account, engine, timezone, clock }: Asking): AsyncGenerator<string> {
  const now = clock();
  let before = Math.min(now, await askedUntil(engine, account));
  for (let days = 0; days < most_days;) {
    const start = await newestStartBefore(engine, account, before);
    if (start === undefined || start < now - longest_kept_seconds) return;
    const day = dayOf(start, timezone);
    if (endOf(day, timezone) <= before) {
      days += 1;
      yield day;
    }
    before = boundsOf(day, timezone).first;
  }
}

/** Of the first page. Undefined: it was not answered. */
async function idsListed(run: Asking, unit: ArchiveUnit): Promise<string[] | undefined> {
  try {
    const { json } = await run.gathering.fetcher.ask(unit.path, (attempt) => hear(run, unit, attempt));
    return recordsOf(unit).page(json, 1).ids;
  } catch (error) {
    if (error instanceof Unauthorized) throw error;
    if (error instanceof Final || error instanceof Retryable || error instanceof Garbled) return undefined;
    throw error;
  }
}
