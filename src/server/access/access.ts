// Everything stored about a person, for that person: all facts, and every record as it was received.
import type { RawArchive } from '#etl/raw/archive.ts';
import { subjectOf } from '#etl/erased/subject.ts';
import { recordsHolding } from '#warehouse/erase/raw.ts';
import { factsAbout } from '#warehouse/erase/traces.ts';
import type { Row } from '#warehouse/engine.ts';
import type { Folder } from '../folder.ts';
import { reading, type DataFile } from '../erase/files.ts';
import type { Person } from '../erase/person.ts';

export interface AccessChat {
  account: string;
  chat_id: string;
  /** The row of facts.chats. */
  facts: Row;
  messages: Row[];
  surveys: Row[];
  variables: Row[];
  goals: Row[];
  tags: string[];
  agents: string[];
}

interface ReceivedRecord {
  account: string;
  chat_id: string;
  received_at: string;
  /** As it came, every version. */
  record: unknown;
}

export interface Access {
  /** ISO instant. */
  made_at: string;
  visitors: Person['visitors'];
  names: string[];
  addresses: string[];
  chats: AccessChat[];
  as_received: ReceivedRecord[];
}

/** `now` in Unix seconds. */
export async function accessOf(
  folder: Folder,
  warehouse: DataFile,
  raw: RawArchive,
  person: Person,
  now: number,
): Promise<Access> {
  const { visitors, names, addresses, logins } = person;
  const facts = await reading(folder, warehouse, (engine) => factsAbout(engine, person.chats));
  return {
    ...{ made_at: new Date(now * 1000).toISOString(), visitors, names, addresses: [...addresses, ...logins] },
    ...{ chats: chatsIn(facts), as_received: await receivedOf(raw, person) },
  };
}

/** Columns that say how the program keeps a row, and nothing of the person. */
const bookkeeping = new Set(['started_quarter', 'started_second', 'ended_second', 'at_second', 'reached_quarter']);
const told = new Set(['account', 'chat_id', 'started_at']);

function chatsIn(facts: ReadonlyMap<string, Row[]>): AccessChat[] {
  const of = (table: string, { account, chat_id }: Row): Row[] =>
    (facts.get(table) ?? []).filter((row) => row.account === account && row.chat_id === chat_id);
  const left = (row: Row, without: ReadonlySet<string>): Row =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !bookkeeping.has(column) && !without.has(column)));
  return (facts.get('chats') ?? []).map((chat) => ({
    ...{ account: String(chat.account), chat_id: String(chat.chat_id), facts: left(chat, new Set()) },
    messages: of('messages', chat).map((row) => left(row, told)),
    surveys: of('chat_surveys', chat).map((row) => left(row, told)),
    variables: of('chat_variables', chat).map((row) => left(row, told)),
    goals: of('chat_goals', chat).map((row) => left(row, told)),
    tags: of('chat_tags', chat).map(({ tag }) => String(tag)),
    agents: of('chat_agents', chat).map(({ agent_name, agent }) => String(agent_name ?? agent)),
  }));
}

async function receivedOf(raw: RawArchive, { chats, visitors }: Person): Promise<ReceivedRecord[]> {
  const isTheirs = new Set(chats.map(({ account, id }) => JSON.stringify([account, id])));
  const isThem = new Set(visitors.map(({ account, id }) => JSON.stringify([account, id])));
  const found: ReceivedRecord[] = [];
  for await (const rows of recordsHolding(
    raw.engine,
    chats,
    visitors.map(({ id }) => id),
  ))
    for (const { account, body, received_at } of rows) {
      let record: unknown;
      try {
        record = JSON.parse(String(body));
      } catch {
        continue; // not a valid record: it is quarantined, and names no identifiable person
      }
      const { visitor = '', chat = '' } = subjectOf(record);
      const has = (set: ReadonlySet<string>, id: string): boolean => set.has(JSON.stringify([account, id]));
      if (has(isTheirs, chat) || has(isThem, visitor))
        found.push({ account: String(account), chat_id: chat, received_at: String(received_at), record });
    }
  return found.sort((one, other) => (one.received_at < other.received_at ? -1 : 1));
}
