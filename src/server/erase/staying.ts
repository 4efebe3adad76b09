// What names a person, or may, and stays as it is after an erasure: told with the reason.
import type { DatabaseSync } from 'node:sqlite';
import type { NotErased } from '#api/contract/erasures.ts';
import { holds } from './leftovers.ts';

/** In the file of users, boards and digests. `words`: ids and addresses in lower case. */
export function stayingIn(state: DatabaseSync, words: readonly string[]): NotErased[] {
  return [
    ...sentRows(state),
    ...digestsNaming(state, words),
    ...usersNamed(state, words),
    ...auditNaming(state, words),
  ];
}

type Row = Record<string, unknown>;

/** Rows of a table; none where no earlier step has made it. */
function rowsOf(state: DatabaseSync, table: string, statement: string): Row[] {
  const isThere = state.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table);
  return isThere ? (state.prepare(statement).all() as Row[]) : [];
}

/** Documents with rows of saved queries that went out: those may be of the person without an id or an address. */
function sentRows(state: DatabaseSync): NotErased[] {
  const sends = rowsOf(
    state,
    'digest_sends',
    `select digest, reader, channel, period from digest_sends
    where state in ('sent', 'unknown') and coalesce(made ->> '$.queries', '[]') <> '[]'
    order by digest, reader, channel, sent_at`,
  );
  const alike = Map.groupBy(sends, ({ digest, reader, channel }) => JSON.stringify([digest, reader, channel]));
  return [...alike.values()].map((those) => {
    const [first, last] = [those[0] ?? {}, those.at(-1) ?? {}];
    const periods = those.length === 1 ? String(first['period']) : `${first['period']} to ${last['period']}`;
    return {
      what: `digest ${first['digest']} of ${periods}, handed over to ${first['reader']} by ${first['channel']}`,
      reason: 'rows of saved queries were in it, and the person may be among them',
    };
  });
}

const digestsNaming = (state: DatabaseSync, words: readonly string[]): NotErased[] => [
  ...rowsOf(state, 'digests', 'select id, body from digests order by id')
    .filter(({ body }) => holds(String(body), words))
    .map(({ id }) => ({
      what: `the digest ${id}`,
      reason: 'its title, its owner or one of its readers names the person: change it on the page Scheduled reports',
    })),
  ...rowsOf(
    state,
    'digest_sends',
    "select distinct digest, json_remove(made, '$.queries', '$.boards') as made from digest_sends",
  )
    .filter(({ made }) => holds(String(made), words))
    .map(({ digest }) => String(digest))
    .filter((digest, place, all) => all.indexOf(digest) === place)
    .map((digest) => ({
      what: `what the digest ${digest} was sent with`,
      reason: 'it named the person, and is kept as long as the document can be made again',
    })),
];

const usersNamed = (state: DatabaseSync, words: readonly string[]): NotErased[] =>
  rowsOf(state, 'users', 'select email from users')
    .filter(({ email }) => words.includes(String(email).toLowerCase()))
    .map(() => ({ what: 'an address of the person', reason: 'somebody signs in with it: as that of a user it stays' }));

function auditNaming(state: DatabaseSync, words: readonly string[]): NotErased[] {
  const count = rowsOf(state, 'audit', 'select who, about from audit').filter(({ who, about }) =>
    holds(`${String(who)}\n${String(about)}`, words),
  ).length;
  if (count === 0) return [];
  return [
    {
      what: `${count} ${count === 1 ? 'row' : 'rows'} of the audit`,
      reason:
        'titles or addresses in it name the person, and its rows are not changed: they go as CHATLEDGER_KEEP_AUDIT says',
    },
  ];
}
