// Under which rules of redaction the texts of chats were decoded.
import type { Queryable } from '../engine.ts';

interface DecodedUnder {
  account: string;
  /** Fingerprint of the rules; null: none. */
  redaction: string | null;
  chats: number;
}

/** By account, the most chats first. A file of an earlier version knows of no rules. */
export async function chatsByRedaction(engine: Queryable): Promise<DecodedUnder[]> {
  const { literal } = engine.dialect;
  const isKnown = (await engine.columns()).get('facts.chats')?.has('redaction') === true;
  const column = isKnown ? 'redaction' : literal(null, 'text');
  const rows = await engine.query(
    `select account, ${column} as redaction, count(*) as chats
     from facts.chats
     group by all
     order by account, chats desc`,
  );
  return rows.map(({ account, redaction, chats }) => ({
    ...{ account: String(account), chats: Number(chats) },
    redaction: redaction == null ? null : String(redaction),
  }));
}
