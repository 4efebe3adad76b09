// Creates and removes tags; chats and tickets keep the tags they have.
import { refuse } from '../refusals.ts';
import { demandAgents, demandGroup, named, type Action } from './action.ts';

export const createTag: Action = ({ account, args }) => {
  const { author, tag, group } = args as { author: string; tag: string; group: number };
  const { staff } = account.store;
  demandAgents(account, 'author', [author]);
  demandGroup(account, 'group', group);
  if (staff.one('tags', tag)) throw refuse.arguments(`tag: there is a tag ${tag} already`);
  const made = { name: tag, author, creation_date: account.now(), group };
  staff.put('tags', made);
  return () => ({
    ...{ name: tag, author, creation_date: made.creation_date },
    ...{ count: { inChats: 0, inTickets: 0 }, group },
  });
};

export const deleteTag: Action = ({ account, name, args }) => {
  const { group } = args as { group?: number };
  const { staff } = account.store;
  const tag = staff.one('tags', name);
  staff.remove('tags', named(tag && (group === undefined || tag.group === group) ? tag : undefined).name);
  return () => ({ ok: true });
};
