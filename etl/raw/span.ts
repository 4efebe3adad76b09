// How far back the raw archive reaches, and how it thins out: what is kept of an answer depends on its age.
import { rawAbout, rawResponses, rawVersion } from '#warehouse/tables.ts';
import type { Store } from '#warehouse/engine.ts';
import { addDays } from '../days.ts';
import { compact } from './compact.ts';
import { readingsOf, type Moment } from './readings.ts';

/** The time of which every answer is there, Unix seconds; `from` is after `to` when there is none. */
export interface Held {
  from: number;
  to: number;
}

/** Every answer is kept for so many UTC days; then those that leave no trace go. Chats are kept for ever. */
export const every_answer_days = 30;

export async function heldBy(engine: Store, account: string): Promise<Held> {
  const [span] = await engine.query(
    `select
       (select min(begun_at) from raw.versions) as begun_at,
       max(last_received_at) as last_received_at
     from raw.responses
     where account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  const second = (instant: unknown, none: number): number => (instant ? Date.parse(String(instant)) / 1000 : none);
  return { from: second(span?.begun_at, Infinity), to: second(span?.last_received_at, -Infinity) };
}

/** Before the first answer of a UTC day: a new file says when it began, an old one thins out. `now` in Unix seconds. */
export async function beginDay(engine: Store, now: number): Promise<void> {
  const today = new Date(now * 1000).toISOString().slice(0, 10);
  const on = engine.dialect.literal(today, 'date');
  const [known] = await engine.query(
    `select
       (select count(*) from raw.versions) as versions,
       (select count(*) from (select 1 from raw.responses where received_on = ${on} limit 1) as one) as answers`,
  );
  if (known?.versions === 0)
    await engine.load(rawAbout, [{ version: rawVersion, begun_at: now, thinned_until: today }]);
  if (known?.answers === 0) await thin(engine, addDays(today, -every_answer_days));
}

/** Days before `until` lose what leaves no trace when the archive is played back, and bodies that nobody names any more. */
async function thin(engine: Store, until: string): Promise<void> {
  const { literal } = engine.dialect;
  const days = await engine.query(
    `select distinct account, received_on
     from raw.responses
     where received_on < ${literal(until, 'date')}
       and received_on >= (select max(thinned_until) from raw.versions)`,
  );
  for (const { account, received_on } of days) {
    const readings = await readingsOf(engine, String(account), String(received_on));
    const kept = new Set((await compact(engine, readings)).map(({ first }) => nameOf(first)));
    const gone = readings.filter(({ first }) => !kept.has(nameOf(first)));
    await engine.load(rawResponses, [], {
      replacing: ['account', 'received_on', 'pull_id', 'sequence'],
      marks: gone.map(({ first: { pull_id, sequence } }) => ({
        ...{ account: String(account), received_on: String(received_on), pull_id, sequence },
      })),
    });
  }
  await engine.exec(`delete from raw.responses where received_on < ${literal(until, 'date')} and state = 'unfinished'`);
  await engine.exec('delete from raw.bodies where hash not in (select hash from raw.responses where hash is not null)');
  await engine.exec(`update raw.versions set thinned_until = greatest(thinned_until, ${literal(until, 'date')})`);
}

const nameOf = ({ pull_id, sequence }: Moment): string => `${pull_id} ${sequence}`;
