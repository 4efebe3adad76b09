// Removes from incoming records what belongs to erased people or is too old; every record passes through here before it is archived or
// decoded. No names are stored for that, only salted hashes.
import { addressOf, replaceAddresses } from './addresses.ts';
import { dotted } from './dots.ts';
import { ofErased, ofOthers, washed } from './record.ts';
import { subjectOf } from './subject.ts';

/** Who was erased, by salted hashes. */
export interface Tombstones {
  isEmpty: boolean;
  /** The pseudonym of an erased visitor or of their chat; undefined for others. */
  pseudonymOf(kind: 'visitor' | 'chat', account: string, id: string): string | undefined;
  isErased(account: string, address: string): boolean;
  /** The pseudonym for another id of a person whose address is erased. */
  pseudonymFor(account: string, visitor: string): string;
}

export interface ErasureFilter {
  isEmpty: boolean;
  /** The record without erased parts, or the record itself if there are none. `day`: the local day of the request. */
  record(account: string, record: unknown, day: string): unknown;
  /** The same for a text that is not a page of records, or cannot be parsed. */
  text(account: string, text: string, day: string): string;
}

export const nobodyErased: ErasureFilter = { isEmpty: true, record: (_, record) => record, text: (_, text) => text };

/** First by the one, then by the other. */
export function together(one: ErasureFilter, other: ErasureFilter): ErasureFilter {
  if (one.isEmpty) return other;
  if (other.isEmpty) return one;
  return {
    isEmpty: false,
    record: (account, record, day) => other.record(account, one.record(account, record, day), day),
    text: (account, text, day) => other.text(account, one.text(account, text, day), day),
  };
}

/** Replaces a text that cannot be parsed. */
export const leftOut = (text: string): string =>
  `(${text.length} characters that could not be read and named an erased visitor)`;

/** How a pseudonym begins. */
export const pseudonymPrefix = 'erased-';

export function erasedBy(tombstones: Tombstones): ErasureFilter {
  if (tombstones.isEmpty) return nobodyErased;
  const record = (account: string, of: unknown): unknown => {
    const subject = subjectOf(of);
    const pseudonym = pseudonymIn(tombstones, account, subject);
    if (pseudonym !== undefined) return sameOr(of, washed(of, ofErased(subject.visitor, pseudonym)));
    let isChanged = false;
    const without = (address: string): string => {
      if (!tombstones.isErased(account, addressOf(address))) return address;
      isChanged = true;
      return dotted(address);
    };
    const left = washed(
      of,
      ofOthers((text) => replaceAddresses(text, without)),
    );
    return isChanged ? left : of;
  };
  return {
    isEmpty: false,
    record,
    text: (account, text) => (isNamedIn(tombstones, account, text) ? leftOut(text) : text),
  };
}

const sameOr = (before: unknown, after: unknown): unknown =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after;

function pseudonymIn(
  tombstones: Tombstones,
  account: string,
  { visitor, chat, addresses }: ReturnType<typeof subjectOf>,
): string | undefined {
  const own = visitor === undefined ? undefined : tombstones.pseudonymOf('visitor', account, visitor);
  if (own !== undefined) return own;
  const isKnown = visitor?.startsWith(pseudonymPrefix) === true;
  const ofChat = chat === undefined ? undefined : tombstones.pseudonymOf('chat', account, chat);
  if (ofChat !== undefined) return isKnown ? visitor : ofChat;
  if (!addresses.some((address) => tombstones.isErased(account, address))) return undefined;
  return tombstones.pseudonymFor(account, visitor ?? chat ?? '');
}

/** Any text between quotes is an erased id, or any address is erased. */
function isNamedIn(tombstones: Tombstones, account: string, text: string): boolean {
  let isNamed = false;
  replaceAddresses(text, (address) => {
    isNamed ||= tombstones.isErased(account, addressOf(address));
    return address;
  });
  if (isNamed) return true;
  for (const [, quoted = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"/g))
    for (const kind of ['visitor', 'chat'] as const)
      if (quoted !== '' && quoted.length < 200 && tombstones.pseudonymOf(kind, account, quoted) !== undefined)
        return true;
  return false;
}
