// Identifies a person: all ids, chats, names and addresses, starting from a visitor id or address.
import type { RawArchive } from '#etl/raw/archive.ts';
import { addressOf, isAddress } from '#etl/erased/addresses.ts';
import { erasedName } from '#etl/erased/dots.ts';
import { subjectOf } from '#etl/erased/subject.ts';
import { recordsHolding } from '#warehouse/erase/raw.ts';
import { answersIn, chatsByAnswer, chatsOf, loginsIn, type TracedChat } from '#warehouse/erase/traces.ts';
import type { ErasedId } from '#warehouse/erase/selection.ts';
import type { Folder } from '../folder.ts';
import { reading, type DataFile } from './files.ts';
import type { WantedErasure } from './job.ts';

export interface Person {
  visitors: ErasedId[];
  chats: ErasedId[];
  names: string[];
  /** In lower case, without logins of agents. */
  addresses: string[];
  /** Addresses that are logins of agents: those stay where agents are meant. */
  logins: string[];
}

/** A set of things that are named by account and id. */
class NamedSet {
  readonly #of = new Map<string, ErasedId>();
  add({ account, id }: ErasedId): void {
    this.#of.set(JSON.stringify([account, id]), { account, id });
  }
  has({ account, id }: ErasedId): boolean {
    return this.#of.has(JSON.stringify([account, id]));
  }
  get list(): ErasedId[] {
    return [...this.#of.values()];
  }
  get size(): number {
    return this.#of.size;
  }
}

interface KnownPeople {
  visitors: NamedSet;
  chats: NamedSet;
  names: Set<string>;
  addresses: Set<string>;
}

/** Searches all files and the raw archive. If nobody is found, there are no visitors and no chats. `accounts`: all existing ones. */
export async function findPerson(
  folder: Folder,
  files: readonly DataFile[],
  archive: RawArchive,
  wanted: WantedErasure,
  accounts: readonly string[],
): Promise<Person> {
  const known: KnownPeople = {
    visitors: new NamedSet(),
    chats: new NamedSet(),
    names: new Set(),
    addresses: new Set(),
  };
  const meant = accounts.filter((account) => wanted.account === undefined || wanted.account === account);
  const asked = meant.flatMap((account) => (wanted.visitor === undefined ? [] : [{ account, id: wanted.visitor }]));
  let logins = new Set<string>();
  // Each round may find ids by which the next finds more: another archive knows the same chat under another visitor.
  for (let before = -1; before < known.visitors.size + known.chats.size;) {
    before = known.visitors.size + known.chats.size;
    await inArchive(archive, wanted, asked, meant, known);
    for (const file of files)
      await reading(folder, file, async (engine) => {
        if (wanted.address !== undefined)
          for (const chat of await chatsByAnswer(engine, wanted.address))
            if (meant.includes(chat.account)) known.chats.add(chat);
        const visitors = [...asked, ...known.visitors.list];
        for (const chat of await chatsOf(engine, { visitors, chats: known.chats.list })) noteChat(chat, known);
        for (const answer of await answersIn(engine, known.chats.list))
          if (isAddress(answer)) known.addresses.add(addressOf(answer));
        logins = logins.union(new Set((await loginsIn(engine)).map(addressOf)));
      });
  }
  if (wanted.address !== undefined && known.chats.size > 0) known.addresses.add(wanted.address);
  return {
    ...{ visitors: known.visitors.list, chats: known.chats.list, names: [...known.names] },
    addresses: [...known.addresses].filter((address) => !logins.has(address)),
    logins: [...known.addresses].filter((address) => logins.has(address)),
  };
}

function noteChat({ account, id, visitor, name }: TracedChat, { visitors, chats, names }: KnownPeople): void {
  chats.add({ account, id });
  if (visitor !== '') visitors.add({ account, id: visitor });
  if (name !== null && name !== erasedName) names.add(name);
}

async function inArchive(
  archive: RawArchive,
  { address }: WantedErasure,
  asked: readonly ErasedId[],
  meant: readonly string[],
  known: KnownPeople,
): Promise<void> {
  const visitors = [...asked, ...known.visitors.list].map(({ id }) => id);
  const words = [...new Set([...visitors, ...(address === undefined ? [] : [address])])];
  const isAsked = (account: string, id: string): boolean =>
    asked.some((each) => each.account === account && each.id === id) || known.visitors.has({ account, id });
  for await (const rows of recordsHolding(archive.engine, known.chats.list, words))
    for (const row of rows) {
      const account = String(row.account);
      const { visitor, chat, names, addresses } = subjectOf(parsed(String(row.body)));
      const isTheirs =
        (visitor !== undefined && isAsked(account, visitor)) ||
        (chat !== undefined && known.chats.has({ account, id: chat })) ||
        (address !== undefined && addresses.includes(address));
      if (!isTheirs || !meant.includes(account)) continue;
      if (visitor !== undefined) known.visitors.add({ account, id: visitor });
      if (chat !== undefined) known.chats.add({ account, id: chat });
      for (const name of names) if (name !== erasedName) known.names.add(name);
      for (const each of addresses) known.addresses.add(each);
    }
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
