// Makes, changes and removes canned responses.
import type { CannedResponseRecord } from '../records.ts';
import { demandGroup, idOf, named, nextId, type Action } from './action.ts';

interface CannedWish {
  text?: string;
  tags?: string[];
  group?: number;
}

export const createCannedResponse: Action = ({ account, caller, args }) => {
  const { text = '', tags = [], group = 0 } = args as CannedWish;
  const { staff } = account.store;
  demandGroup(account, 'group', group);
  const id = nextId(account, 'canned_responses', account.staff.canned_responses);
  const made: CannedResponseRecord = { id, group, text, creation_date: account.now(), created_by: caller.agent, tags };
  staff.put('canned_responses', made);
  return () => made;
};

export const updateCannedResponse: Action = ({ account, caller, name, args }) => {
  const { staff } = account.store;
  const had = named(staff.one('canned_responses', idOf(name)));
  const { text = had.text, tags = had.tags } = args as CannedWish;
  const { id, group, creation_date, created_by } = had;
  const changed: CannedResponseRecord = {
    ...{ id, group, text, creation_date, created_by },
    ...{ modification_date: account.now(), modified_by: caller.agent, tags },
  };
  staff.put('canned_responses', changed);
  return () => changed;
};

export const deleteCannedResponse: Action = ({ account, name }) => {
  const { staff } = account.store;
  staff.remove('canned_responses', named(staff.one('canned_responses', idOf(name))).id);
  return () => ({ result: 'Canned response removed successfully' });
};
