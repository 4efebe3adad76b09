// Makes, changes and removes greetings with their rules.
import type { RuleWish } from '#contract/fields.ts';
import { mostAnnouncements } from '#contract/rest-v2.ts';
import type { ServiceAccount } from '../account.ts';
import { listsOf } from '../lists.ts';
import type { GreetingRecord, GreetingRule } from '../records.ts';
import { refuse } from '../refusals.ts';
import { demandGroup, idOf, named, nextId, type Action } from './action.ts';

interface GreetingWish {
  name?: string;
  rules?: RuleWish[];
  group?: number;
  active?: 0 | 1;
  subtype?: 'announcement';
  properties?: { 'greeting-message_text'?: string };
}

const standardText = 'Hello, would you like to talk about our products?';

export const createGreeting: Action = ({ account, args }) => {
  const { name = '', rules = [], group = 0, active = 1, subtype, properties } = args as GreetingWish;
  demandGroup(account, 'group', group);
  const { greetings } = account.staff;
  if (subtype && greetings.filter((each) => each.subtype === subtype).length >= mostAnnouncements)
    throw refuse.arguments(`subtype: there are ${mostAnnouncements} announcements already, which is the most`);
  const id = nextId(account, 'greetings', greetings);
  const message_text = properties?.['greeting-message_text'] ?? standardText;
  return kept(account, {
    ...{ id, active: active === 1, name, group, rules: numbered(account, rules), message_text },
    ...(subtype && { subtype }),
  });
};

export const updateGreeting: Action = ({ account, name, args }) => {
  const had = named(account.store.staff.one('greetings', idOf(name)));
  const wish = args as GreetingWish;
  return kept(account, {
    ...had,
    active: wish.active === undefined ? had.active : wish.active === 1,
    name: wish.name ?? had.name,
    rules: wish.rules ? numbered(account, wish.rules) : had.rules,
    message_text: wish.properties?.['greeting-message_text'] ?? had.message_text,
  });
};

export const deleteGreeting: Action = ({ account, name }) => {
  const { staff } = account.store;
  staff.remove('greetings', named(staff.one('greetings', idOf(name))).id);
  return () => ({ ok: true });
};

/** Rules with ids; fields that do not belong to the rule's type are dropped. */
function numbered(account: ServiceAccount, wishes: readonly RuleWish[]): GreetingRule[] {
  const taken = account.staff.greetings.flatMap((greeting) => greeting.rules);
  return wishes.map(({ type, operator, value, variable_name, variable_value, urls }): GreetingRule => {
    const id = nextId(account, 'rules', taken);
    if (type === 'url_funnel') return { id, type, condition: 'and', urls: urls ?? [] };
    if (type === 'custom_variable')
      return { id, type, operator, condition: 'and', variable_name: variable_name!, variable_value: variable_value! };
    return { id, value: value!, type, operator, condition: 'and' };
  });
}

function kept(account: ServiceAccount, greeting: GreetingRecord): () => unknown {
  account.store.staff.put('greetings', greeting);
  return () => listsOf(account).greetings.one?.(String(greeting.id), '');
}
