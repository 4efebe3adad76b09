// The scopes that let an access token read, per path, as the seed's tables list them; any one of a list is enough.
import type { ListId } from '#contract/account.ts';

interface Needed {
  all: readonly string[];
  one: readonly string[];
}

const same = (...scopes: string[]): Needed => ({ all: scopes, one: scopes });

/** Reports and the chat status are not here: the documents name no scope, so any good token reads them. */
export const scopes: Record<ListId | 'chats' | 'threads', Needed> = {
  agents: same('agents--all:ro', 'agents_read'),
  groups: same('groups--all:ro', 'groups_read'),
  tags: same('tags_read'),
  goals: same('goals_read'),
  // The documents ask to write for reading a single greeting.
  greetings: { all: ['greetings_read'], one: ['greetings_write'] },
  canned_responses: same('canned_responses_read'),
  chats: same('archives_read'),
  // With the second alone an agent sees the chats of the own groups.
  threads: same('chats--all:ro', 'chats--access:ro'),
};
