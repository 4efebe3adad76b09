// Texts of the raw archive by hash: bodies of answers, and chats under the period that was requested.
import type { Queryable, Row } from '../engine.ts';

const listed = ({ dialect }: Queryable, texts: readonly string[]): string =>
  [...new Set(texts)].map((text) => dialect.literal(text, 'text')).join(', ');

/** `hash`, `form`, `body`. */
export const bodiesNamed = async (archive: Queryable, hashes: readonly string[]): Promise<Row[]> =>
  hashes.length === 0
    ? []
    : archive.query(
        `select hash, form, body
         from raw.bodies
         where hash in (${listed(archive, hashes)})`,
      );

/** Those of the hashes that are there. */
export async function hashesHeld(archive: Queryable, hashes: readonly string[]): Promise<string[]> {
  const rows = await archive.query(`select hash from raw.bodies where hash in (${listed(archive, hashes)})`);
  return rows.map(({ hash }) => String(hash));
}

/** `period` and `hash` of the chats under these periods. */
export const chatsUnder = (archive: Queryable, account: string, periods: readonly string[]): Promise<Row[]> =>
  archive.query(
    `select period, hash
     from raw.chats
     where account = ${archive.dialect.param('account', 'text')}
       and period in (${listed(archive, periods)})`,
    { account },
  );

/** `hash`, `body`, `pull_id` of a period's chats: the named ones, or all. */
export async function chatBodies(
  archive: Queryable,
  account: string,
  period: string,
  hashes?: readonly string[],
): Promise<Row[]> {
  if (hashes?.length === 0) return [];
  const { param } = archive.dialect;
  return archive.query(
    `select hash, body, pull_id
     from raw.chats
     where account = ${param('account', 'text')}
       and period = ${param('period', 'text')}` + (hashes ? `\n       and hash in (${listed(archive, hashes)})` : ''),
    { account, period },
  );
}
