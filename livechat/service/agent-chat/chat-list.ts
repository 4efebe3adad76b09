// Chats that pass the filters of list_chats, by what many of them have in common: counted, and read from beside one of them on.
import type { PropertiesFilter } from '#contract/list-archives.ts';
import { kindOf, type ChatKind, type ListedChat } from '../chat-list-tables.ts';
import type { ChatStore } from '../store.ts';
import { isAmong } from '../threads/find.ts';
import { chatProperties } from '../threads/show.ts';

type ChatList = ChatStore['chatList'];
type IsAsked = (groups: readonly number[]) => boolean;

interface FoundChats {
  /** With `active_at` those whose last thread goes on then. */
  count(active_at?: number): number;
  read(options: Parameters<ChatList['read']>[1]): ListedChat[];
}

export function ofGroups(chatList: ChatList, isAsked: IsAsked): FoundChats {
  const counts = chatList.counts();
  const groups = [...counts.keys()].filter((each) => isAsked(JSON.parse(each) as number[]));
  return {
    count: (active_at) => sumOf(active_at === undefined ? counts : chatList.counts(active_at), groups),
    read: (options) => (groups.length === counts.size ? chatList.readAll(options) : chatList.read(groups, options)),
  };
}

export function ofKinds(chatList: ChatList, isAsked: IsAsked, properties: PropertiesFilter): FoundChats {
  const fits = (kind: ChatKind): boolean => isAsked(kind.groups) && hasProperties(propertiesOf(kind), properties);
  const kinds = new Set([...chatList.kinds().keys()].filter((each) => fits(kindOf(each))));
  return {
    count: (active_at) => sumOf(chatList.kinds(active_at), kinds),
    read: (options) => chatList.readKinds(kinds, options),
  };
}

function sumOf(counts: ReadonlyMap<string, number>, those: Iterable<string>): number {
  let sum = 0;
  for (const each of those) sum += counts.get(each) ?? 0;
  return sum;
}

const propertiesOf = ({ engagement, client_id, is_continuous, properties }: ChatKind) =>
  chatProperties({ engagement, live: client_id === null ? {} : { client_id } }, { is_continuous, properties });

function hasProperties(own: Record<string, Record<string, unknown>>, asked: PropertiesFilter): boolean {
  return Object.entries(asked).every(([namespace, names]) =>
    Object.entries(names).every(([name, filter]) => {
      const values = Object.hasOwn(own, namespace) ? own[namespace]! : {};
      return isAmong(filter, Object.hasOwn(values, name) ? [values[name] as string | number | boolean] : []);
    }),
  );
}
