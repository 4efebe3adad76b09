// Makes, changes and removes goals.
import { detailsOf } from '#contract/rest-v2.ts';
import type { GoalRecord } from '../records.ts';
import { refuse } from '../refusals.ts';
import { idOf, named, nextId, type Action } from './action.ts';

type GoalWish = Partial<Pick<GoalRecord, 'name' | 'type' | 'active'>> & Record<string, unknown>;

export const createGoal: Action = ({ account, args }) => {
  const { name = '', type = 'api' } = args as GoalWish;
  const details = detailsFrom(type, type === 'url' ? { match_type: 'substring', ...given(args) } : args);
  const id = nextId(account, 'goals', account.staff.goals);
  return kept({ id, name, active: 1, type, details }, account.store.staff.put);
};

export const updateGoal: Action = ({ account, name, args }) => {
  const { staff } = account.store;
  const had = named(staff.one('goals', idOf(name)));
  const { name: called = had.name, type = had.type, active = had.active } = args as GoalWish;
  const before = type === had.type ? had.details : type === 'url' ? { match_type: 'substring' } : {};
  const details = detailsFrom(type, { ...before, ...given(args) });
  return kept({ id: had.id, name: called, active, type, details }, staff.put);
};

export const deleteGoal: Action = ({ account, name }) => {
  const { staff } = account.store;
  staff.remove('goals', named(staff.one('goals', idOf(name))).id);
  return () => ({ result: 'goal removed successfully' });
};

const given = (args: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** The fields of the type. Throws 400 where one that it needs is missing. */
function detailsFrom(type: GoalRecord['type'], args: Record<string, unknown>): GoalRecord['details'] {
  const { needed, own } = detailsOf[type];
  const missing = needed.filter((field) => args[field] === undefined);
  if (missing.length > 0) throw refuse.arguments(...missing.map((field) => `${field}: is required`));
  return Object.fromEntries(
    own.flatMap((field) => (args[field] === undefined ? [] : [[field, args[field] as string | number]])),
  );
}

function kept(goal: GoalRecord, put: (table: 'goals', record: GoalRecord) => void): () => unknown {
  put('goals', goal);
  const { id, name, active, type, details } = goal;
  return () => ({ id, name, active, type, ...details });
}
