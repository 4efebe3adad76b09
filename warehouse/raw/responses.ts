// The answers in the raw archive, by UTC day; unfinished ones from a crash are ignored.
import type { Engine, Queryable, Row, Store } from '../engine.ts';
import { rawResponses } from '../tables/tables.ts';

const isFinished = "state <> 'unfinished'";

/** UTC days from `day` on with received answers, oldest first. */
export async function receivedDays(archive: Queryable, account: string, day: string): Promise<string[]> {
  const { param } = archive.dialect;
  const rows = await archive.query(
    `select distinct received_on
     from raw.responses
     where account = ${param('account', 'text')}
       and received_on >= cast(${param('day', 'text')} as date)
     order by received_on`,
    { account, day },
  );
  return rows.map((row) => String(row.received_on));
}

export async function accountsHeld(archive: Queryable): Promise<string[]> {
  const rows = await archive.query('select distinct account from raw.responses order by account');
  return rows.map((row) => String(row.account));
}

/** When the newest answer was received, Unix seconds. */
export async function receivedUntil(archive: Queryable, account: string): Promise<number> {
  const { param, second } = archive.dialect;
  const [found] = await archive.query(
    `select max(${second('last_received_at')}) as until
     from raw.responses
     where account = ${param('account', 'text')}
       and ${isFinished}`,
    { account },
  );
  return Math.floor(Number(found?.until ?? 0));
}

/** Answers of a UTC day in the order in which they were first received. */
export const responsesOf = (archive: Engine, account: string, day: string): AsyncGenerator<Row[]> => {
  const { param } = archive.dialect;
  return archive.queryInPieces(
    `select
       unit, timezone, period, outcome, path, status, hash, error, attempts, bytes, milliseconds, asked_at, times,
       received_at, pull_id, sequence, last_received_at, last_pull_id, last_sequence
     from raw.responses
     where account = ${param('account', 'text')}
       and received_on = cast(${param('day', 'text')} as date)
       and ${isFinished}
     order by received_at, pull_id, sequence, position`,
    { account, day },
  );
};

/** Whole rows of a UTC day for these questions, the newest last. */
export const responsesTo = (
  archive: Queryable,
  account: string,
  received_on: string,
  units: readonly string[],
): Promise<Row[]> => {
  const { param, literal } = archive.dialect;
  return archive.query(
    `select ${Object.keys(rawResponses.columns).join(', ')}
     from raw.responses
     where account = ${param('account', 'text')}
       and received_on = cast(${param('received_on', 'text')} as date)
       and unit in (${units.map((unit) => literal(unit, 'text')).join(', ')})
       and ${isFinished}
     order by last_received_at, last_sequence, position`,
    { account, received_on },
  );
};

/** How many questions will be played back. */
export async function questionsHeld(archive: Queryable): Promise<number> {
  const [found] = await archive.query(
    `select sum(least(times, 2)) as questions from raw.responses where position = 0 and ${isFinished}`,
  );
  return Number(found?.questions ?? 0);
}

/** `account`, `pull_id`, `started_at`, `ended_at`, `requests` of every pull that brought something. */
export const pullsHeld = (archive: Queryable): Promise<Row[]> =>
  archive.query(
    `select account, pull_id, min(moment) as started_at, max(moment) as ended_at, count(*) as requests
     from (
       select account, pull_id, received_at as moment from raw.responses
       union all
       select account, last_pull_id, last_received_at from raw.responses where times > 1
     ) as moments
     group by account, pull_id`,
  );

/** When the file began, and when the newest answer of an account arrived: ISO instants, null if there is none. */
export async function spanHeld(
  archive: Queryable,
  account: string,
): Promise<{ begun_at: string | null; last_received_at: string | null }> {
  const [span] = await archive.query(
    `select
       (select min(begun_at) from raw.versions) as begun_at,
       max(last_received_at) as last_received_at
     from raw.responses
     where account = ${archive.dialect.param('account', 'text')}`,
    { account },
  );
  const textOf = (value: Row[string] | undefined): string | null => (value ? String(value) : null);
  return { begun_at: textOf(span?.begun_at), last_received_at: textOf(span?.last_received_at) };
}

/** Whether the file records its beginning, and whether it has an answer of a UTC day. */
export async function hasBegun(archive: Queryable, day: string): Promise<{ file: boolean; day: boolean }> {
  const on = archive.dialect.literal(day, 'date');
  const [known] = await archive.query(
    `select
       (select count(*) from raw.versions) as versions,
       (select count(*) from (select 1 from raw.responses where received_on = ${on} limit 1) as one) as answers`,
  );
  return { file: known?.versions !== 0, day: known?.answers !== 0 };
}

/** Accounts and UTC days (`account`, `received_on`) before `until` that were not thinned yet. */
export const daysToThin = (archive: Queryable, until: string): Promise<Row[]> =>
  archive.query(
    `select distinct account, received_on
     from raw.responses
     where received_on < ${archive.dialect.literal(until, 'date')}
       and received_on >= (select max(thinned_until) from raw.versions)`,
  );

/** Removes what nobody names any more, and notes until when the file is thinned. */
export async function endThinning(archive: Store, until: string): Promise<void> {
  const day = archive.dialect.literal(until, 'date');
  await archive.exec(`delete from raw.responses where received_on < ${day} and state = 'unfinished'`);
  await archive.exec(
    'delete from raw.bodies where hash not in (select hash from raw.responses where hash is not null)',
  );
  await archive.exec(`update raw.versions set thinned_until = greatest(thinned_until, ${day})`);
}
