// The account's lists in the format of the REST API v2.0: agents, groups, tags, goals, greetings, canned responses. Keys follow the order
// of the documentation.
import type { z } from 'zod';
import type { ListId, lists } from '#contract/account.ts';
import { tagCounts, type ServiceAccount } from './account.ts';
import { groupPresence, lastLogout, members, presences } from './presence.ts';
import type { AgentRecord, GreetingRecord, GreetingRule, GroupRecord } from './records.ts';

type Args<K extends ListId> = z.output<(typeof lists)[K]['args']>;
type Item<K extends ListId> = z.input<(typeof lists)[K]['each']>;
type ListItem<K extends ListId> = z.input<(typeof lists)[K]['one']>;

/** Every list of the contract, whole and one by one; a missing one does not compile. */
type ListAnswers = {
  [K in ListId]: {
    all: (args: Args<K>) => Item<K>[];
    /**
     * Returns undefined if no such item exists; the function is missing where the documentation has no path. `caller` is the caller's
     * login.
     */
    one?: (name: string, caller: string) => ListItem<K> | undefined;
  };
};

export const listsOf = (account: ServiceAccount): ListAnswers => ({
  agents: {
    all({ status }) {
      const present = presences(account);
      return account.staff.agents
        .map(({ name, permission, avatar, login }) => ({
          name,
          permission,
          avatar,
          login,
          status: present.get(login) ?? ('offline' as const),
        }))
        .filter((agent) => status === undefined || agent.status === status);
    },
    one(login, caller) {
      const agent = account.staff.agents.find((each) => each.login === login);
      return agent && fullAgent(account, agent, caller === login);
    },
  },
  groups: {
    all: () => account.staff.groups.map((group) => shownGroup(account, group)),
    one(name) {
      const group = named(account.staff.groups, name);
      return group && shownGroup(account, group);
    },
  },
  tags: {
    all({ group }) {
      const now = account.now();
      const { chats, tickets } = tagCounts(account, now);
      return account.staff.tags
        .filter((tag) => tag.creation_date <= now && (group === undefined || tag.group === group))
        .map(({ name, author, creation_date, group: of }) => ({
          name,
          author,
          creation_date,
          count: { inChats: chats.get(name) ?? 0, inTickets: tickets.get(name) ?? 0 },
          group: of,
        }));
    },
  },
  goals: {
    all: ({ type }) =>
      account.staff.goals
        .filter((goal) => type === undefined || goal.type === type)
        .map((goal) => ({ id: goal.id, name: goal.name, active: goal.active, type: goal.type })),
    one(name) {
      const goal = named(account.staff.goals, name);
      return goal && { id: goal.id, name: goal.name, active: goal.active, type: goal.type, ...goal.details };
    },
  },
  greetings: {
    all: ({ group }) =>
      account.staff.greetings.filter((each) => group === undefined || each.group === group).map(shownGreeting),
    one(name) {
      const greeting = named(account.staff.greetings, name);
      return greeting && shownGreeting(greeting);
    },
  },
  canned_responses: {
    all({ group = 0 }) {
      const now = account.now();
      return account.staff.canned_responses.filter((each) => each.group === group && each.creation_date <= now);
    },
    one: (name) => named(account.staff.canned_responses, name),
  },
});

function named<T extends { id: number }>(list: readonly T[], name: string): T | undefined {
  return list.find((each) => String(each.id) === name);
}

function fullAgent(account: ServiceAccount, agent: AgentRecord, is_own: boolean): ListItem<'agents'> {
  const { staff } = account;
  return {
    login: agent.login,
    name: agent.name,
    login_status: agent.login_status,
    permission: agent.permission,
    daily_summary: agent.daily_summary,
    job_title: agent.job_title,
    avatar: agent.avatar,
    notifications: agent.notifications,
    max_chats_count: agent.max_chats_count,
    ...(agent.work_scheduler && { work_scheduler: agent.work_scheduler }),
    groups: staff.groups
      .filter((group) => agent.groups.includes(group.id))
      .map((group) => ({ id: group.id, name: group.name })),
    status: presences(account).get(agent.login) ?? 'offline',
    last_logout: lastLogout(account, agent.login),
    ...(is_own && { api_key: agent.api_key }),
  };
}

function shownGroup(account: ServiceAccount, { id, name, language }: GroupRecord): Item<'groups'> {
  const agents = members(account, id).map((agent) => agent.login);
  return { id, name, language, ...(id !== 0 && { agents }), status: groupPresence(account, id) };
}

function shownGreeting({ id, active, name, rules, message_text }: GreetingRecord): Item<'greetings'> {
  const properties = { active: active ? '1' : '0', 'greeting-message_text': message_text };
  return { id, active, name, rules: rules.map(shownRule), properties };
}

function shownRule(rule: GreetingRule): Item<'greetings'>['rules'][number] {
  const { id, value, type, operator, condition, variable_name, variable_value, urls } = rule;
  return {
    id,
    ...(value !== undefined && { value }),
    type,
    ...(operator !== undefined && { operator }),
    condition,
    ...(variable_name !== undefined && { variable_name }),
    ...(variable_value !== undefined && { variable_value }),
    ...(urls && { urls }),
  };
}
