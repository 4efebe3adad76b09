// How far back the raw archive reaches, and how it thins out: what is kept of an answer depends on its age.
import { rawAbout, rawVersion } from '#warehouse/tables.ts';
import type { Engine } from '#warehouse/engine.ts';
import { addDays } from './days.ts';

/** The time of which every answer is there, Unix seconds; `from` is after `to` when there is none. */
export interface Held {
  from: number;
  to: number;
}

/** Every answer is kept for so many UTC days; then of each question the newest of each day. Chats are kept for ever. */
export const every_answer_days = 30;

export async function heldBy(engine: Engine, account: string): Promise<Held> {
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
export async function beginDay(engine: Engine, now: number): Promise<void> {
  const today = new Date(now * 1000).toISOString().slice(0, 10);
  const on = engine.dialect.literal(today, 'date');
  const [known] = await engine.query(
    `select
       (select count(*) from raw.versions) as versions,
       (select count(*) from (select 1 from raw.responses where received_on = ${on} limit 1) as one) as answers`,
  );
  if (known?.versions === 0) await engine.load(rawAbout, [{ version: rawVersion, begun_at: now }]);
  if (known?.answers === 0) await thin(engine, addDays(today, -every_answer_days));
}

/** Of earlier UTC days the newest answers of each question stay, one set for each state; then bodies that nobody names go. */
async function thin(engine: Engine, before: string): Promise<void> {
  await engine.exec(
    `delete from raw.responses
     where (account, received_on, pull_id, sequence) in (
       select account, received_on, pull_id, sequence
       from (
         select
           account, received_on, pull_id, sequence, state,
           row_number() over (
             partition by account, received_on, unit, state
             order by last_received_at desc, last_sequence desc
           ) as place
         from raw.responses
         where received_on < ${engine.dialect.literal(before, 'date')}
           and position = 0
       ) as placed
       where place > 1
          or state = 'unfinished'
     )`,
  );
  await engine.exec('delete from raw.bodies where hash not in (select hash from raw.responses where hash is not null)');
}
