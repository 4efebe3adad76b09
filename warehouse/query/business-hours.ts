// Cuts waits of chats to business hours: looks up the open seconds before each instant, so that a wait is the difference of two.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import type { Archived } from '../definitions/metric.ts';
import { everybody } from '../business-hours.ts';
import { lines } from './parts.ts';
import { quarters } from './time-buckets.ts';
import { accountKey, chatColumns, chatKey, ofAccounts, sameAccount, type AskedAccounts } from './asked-accounts.ts';

interface Clipped {
  ctes: string[];
  /** Joins them to the chats `c`, and to `by_agent` where turns are split by agent. */
  join: string;
  /** Seconds of a chat (and agent) in business hours, null if it has none. */
  seconds: string;
  /** A condition: there are waits, and all lie outside business hours. */
  outside: string;
  /** For turns: a condition on `turn` that an agent of the question closed it. */
  closedBy: string;
}

const select = (name: string, columns: readonly string[], rest: string): string =>
  `${name} as (\n  select\n${lines(columns)}\n  ${rest}\n)`;

/** Every wait of the chats of the question: from when until when. */
function waits(
  kind: NonNullable<Archived['businessHours']>,
  whose: AskedAccounts,
  which: string,
  asked: readonly string[],
): string {
  const chat = [...accountKey(whose, 'turn'), 'turn.chat_id'];
  if (kind === 'queue')
    return select(
      'waits',
      [...chat, 'turn.started_second - turn.queue_seconds as from_second', 'turn.started_second as until_second'],
      `from facts.chats as turn\n  where ${which} and turn.queue_seconds is not null`,
    );
  const columns = [...chat, 'turn.asked_second as from_second', 'turn.answered_second as until_second'];
  const where = [which, ...(kind === 'first_response' ? ['turn.position = 0'] : asked)].join(' and ');
  return select(
    'waits',
    [...columns, ...(kind === 'turns' ? ['turn.agent as closed_by'] : [])],
    `from facts.chat_turns as turn\n  where ${where}`,
  );
}

/** The waits, each with the bits of its chat's hours: those of any of its groups, and everybody's if none has its own. */
function timed(ask: Ask, bind: Bind, keys: readonly string[], near: (alias: string) => string): string[] {
  const { dialect } = bind;
  const everybodys = bind.known(everybody, 'bigint');
  const ofGroups = [...accountKey(ask, 'b'), 'b.group_id', 'b.bit'].join(', ');
  const set = `${ofAccounts(ask, 'b', dialect)} and b.group_id is not null`;
  const own = `select distinct ${ofGroups} from account.business_hours as b where ${set}`;
  const isOwn = (alias: string): string =>
    [...sameAccount(ask, 'own', alias), `own.group_id = ${alias}.group_id`].join(' and ');
  const member = chatColumns(ask, 'member');
  // Most groups use everybody's hours: only chats of the others are checked group by group.
  const ofOthers = `select ${chatColumns(ask, 'its')} from facts.chat_groups as its join (${own}) as own on ${isOwn('its')} where ${near('its')}`;
  return [
    select(
      'hours_of_chats',
      [member, `${dialect.anyBits(`coalesce(own.bit, ${everybodys})`)} as hours`],
      `from facts.chat_groups as member\n  left join (${own}) as own on ${isOwn('member')}\n` +
        `  where ${near('member')} and ${chatKey(ask, 'member')} in (${ofOthers})\n  group by ${member}`,
    ),
    select(
      'timed',
      [
        ...[...keys, 'from_second', 'until_second'].map((name) => `waits.${name} as ${name}`),
        `coalesce(h.hours, ${everybodys}) as hours`,
      ],
      `from waits\n  left join hours_of_chats as h on ${[...sameAccount(ask, 'h', 'waits'), 'h.chat_id = waits.chat_id'].join(' and ')}`,
    ),
  ];
}

/**
 * The openings of each combination of hours that occurs, with the seconds it was open before each. Those before the first wait and after
 * the last one are left out: a wait is the difference of two such numbers.
 */
function openings(ask: Ask, bind: Bind): string {
  const { dialect } = bind;
  const length = 'o.until_second - o.from_second';
  const hours = [...accountKey(ask, 'm'), 'm.hours'].join(', ');
  const before = `sum(${length}) over (partition by ${hours} order by o.from_second) - (${length})`;
  const accounts = ask.pool ? 'account, ' : '';
  const which = [
    ...sameAccount(ask, 'o', 'm'),
    ofAccounts(ask, 'o', dialect),
    'o.until_second > m.since and o.from_second <= m.until',
  ].join(' and ');
  return select(
    'openings',
    [hours, 'o.from_second', 'o.until_second', `cast(${before} as ${dialect.type('bigint', true)}) as open_before`],
    `from (\n    select ${accounts}hours, min(from_second) as since, max(until_second) as until\n    from timed group by ${accounts}hours\n  ) as m\n` +
      `  join account.open_hours as o on ${dialect.shareBits('o.open_in', 'm.hours')}\n` +
      `  where ${which}`,
  );
}

/** The open seconds before an instant: those before the latest opening, plus the elapsed part of it. */
const openUntil = (opening: string, second: string): string =>
  `coalesce(${opening}.open_before + least(${opening}.until_second, ${second}) - ${opening}.from_second, 0)`;

function clipped(ask: Ask, bind: Bind, keys: readonly string[]): string {
  const latest = (alias: string, second: string): string =>
    bind.dialect.joinLatest(
      `openings as ${alias}`,
      [...sameAccount(ask, alias, 'timed'), `${alias}.hours = timed.hours`].join(' and '),
      `${alias}.from_second`,
      `timed.${second}`,
    );
  return select(
    'clipped',
    [
      // Both sides of the join have these columns: without names of their own not every engine finds them again.
      ...keys.map((key) => `timed.${key} as ${key}`),
      `${openUntil('ended', 'timed.until_second')} - ${openUntil('began', 'timed.from_second')} as seconds`,
      // An instantaneous wait counts if it happens within the hours.
      'timed.from_second = timed.until_second and coalesce(timed.from_second < began.until_second, false) as is_instant',
    ],
    `from timed\n  ${latest('began', 'from_second')}\n  ${latest('ended', 'until_second')}`,
  );
}

/** Waits of a kind in business hours, for the chats of a question that start in its range. */
export function inBusinessHours(kind: NonNullable<Archived['businessHours']>, ask: Ask, bind: Bind): Clipped {
  const { first, last } = quarters(ask);
  const near = (alias: string): string =>
    [
      ...bind.ofAccount(alias, ask),
      `${alias}.started_quarter >= ${bind.known(first, 'int')}`,
      `${alias}.started_quarter < ${bind.known(last, 'int')}`,
    ].join(' and ');
  const isTurns = kind === 'turns';
  const isByAgent = isTurns && ask.split.includes('agent');
  const logins = isTurns ? ask.filters.agent : undefined;
  const asked = logins ? [`turn.agent in (${bind.list('closed_by', logins, 'text')})`] : [];
  const keys = [...(ask.pool ? ['account'] : []), 'chat_id', ...(isByAgent ? ['closed_by'] : [])];
  const touching = 'seconds > 0 or is_instant';
  return {
    ctes: [
      waits(kind, ask, near('turn'), asked),
      ...timed(ask, bind, keys, near),
      openings(ask, bind),
      clipped(ask, bind, keys),
      isTurns
        ? select(
            'in_hours',
            [...keys, `avg(seconds) filter (where ${touching}) as seconds`],
            `from clipped\n  group by ${keys.join(', ')}`,
          )
        : // A chat has one wait of the other kinds.
          select(
            'in_hours',
            [
              ...keys,
              `case when ${touching} then cast(seconds as ${bind.dialect.type('double', true)}) end as seconds`,
            ],
            'from clipped',
          ),
    ],
    join: `left join in_hours on ${[...sameAccount(ask, 'in_hours', 'c'), 'in_hours.chat_id = c.chat_id'].join(' and ')}${isByAgent ? ' and in_hours.closed_by = by_agent.agent' : ''}`,
    seconds: 'in_hours.seconds',
    outside: '(in_hours.chat_id is not null and in_hours.seconds is null)',
    closedBy: isByAgent ? 'turn.agent = by_agent.agent' : (asked[0] ?? 'true'),
  };
}
