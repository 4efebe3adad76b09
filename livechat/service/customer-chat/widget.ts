// The Customer Chat Web API v3.3 besides chats: configuration, phrases, forms, group statuses, greetings, goals, the customer.
import type { CustomerAnswer } from '#contract/customer-chat.ts';
import type { ServiceAccount } from '../account.ts';
import { setSessionFields as putSessionFields, updateCustomer as change } from '../live/customers.ts';
import type { CustomerRecord } from '../live-tables.ts';
import { accepting, freeAgent, isOnline, loads, mayWait } from '../live/routing.ts';
import { activeThreadOf, findChat, latestThread, save } from '../live/threads.ts';
import { allAgents } from '../live/members.ts';
import { groupPresence } from '../presence.ts';
import type { GoalRecord } from '../records.ts';
import { refuse } from '../refusals.ts';
import { reachedGoal } from '../goals.ts';
import { signedIn, writing, type CustomerAction } from './action.ts';
import { configurationOf, configVersion, formOf, groupNamed, localizationVersion } from './configuration.ts';
import { languageOf, phrasesIn } from './phrases.ts';
import { hashedAgent, profileOf } from './show.ts';

export const getDynamicConfiguration = signedIn<'get_dynamic_configuration'>(({ account, args }) => {
  const group = groupNamed(account, args.group_id ?? 0);
  const online = account.staff.groups
    .filter(({ id }) => groupPresence(account, id) === 'accepting chats')
    .map(({ id }) => id);
  return {
    group_id: group.id,
    client_limit_exceeded: false,
    domain_allowed: true,
    ...(online.length > 0 && { online_group_ids: online }),
    config_version: configVersion(account, group),
    localization_version: localizationVersion(group.language),
    language: group.language,
  };
});

export const getConfiguration = signedIn<'get_configuration'>(({ account, args }) => {
  const group = groupNamed(account, args.group_id);
  if (args.version !== configVersion(account, group))
    throw refuse.v3('validation', 'version: is not the config_version of get_dynamic_configuration now');
  return configurationOf(account, group);
});

export const getLocalization = signedIn<'get_localization'>(({ account, args }) => {
  groupNamed(account, args.group_id);
  if (args.version !== localizationVersion(args.language))
    throw refuse.v3('validation', 'version: is not the localization_version of get_dynamic_configuration now');
  return phrasesIn(languageOf(args.language));
});

type Properties = CustomerAnswer<'list_license_properties'>;

const chosen = (
  all: Properties,
  { namespace, name }: { namespace?: string | undefined; name?: string | undefined },
): Properties =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([own]) => namespace === undefined || own === namespace)
      .map(([own, values]): [string, Properties[string]] => [
        own,
        Object.fromEntries(Object.entries(values).filter(([each]) => name === undefined || each === name)),
      ])
      .filter(([, values]) => Object.keys(values).length > 0),
  );

export const listLicenseProperties: CustomerAction<'list_license_properties'> = ({ account, args }) =>
  chosen(account.store.live.licenseProperties(), args);

export const listGroupProperties: CustomerAction<'list_group_properties'> = ({ account, args }) =>
  chosen(account.store.live.groupProperties(groupNamed(account, args.id).id), args);

export const getCustomer = signedIn<'get_customer'>(({ customer }) => profileOf(customer));

export const updateCustomer = writing<'update_customer'>((turn, { customer, args }) => {
  change(turn, customer, args);
  return {};
});

/** The browser's own words about itself come with the request. */
export const setSessionFields = writing<'set_customer_session_fields'>((turn, { account, customer, args, headers }) => {
  putSessionFields(turn, customer, args.session_fields);
  const known = account.store.live.customer(customer.id)!;
  const referrer = headers.get('referer');
  const browser = {
    ...{ ip: known.browser?.ip ?? '', user_agent: (headers.get('user-agent') ?? '').slice(0, 500) },
    ...(referrer !== null && { referrer: referrer.slice(0, 2_048) }),
  };
  account.store.live.putCustomer({ ...known, browser });
  return {};
});

/** Online is a group with a free agent; online for the queue one whose accepting agents are all busy, where customers may wait. */
export const listGroupStatuses = signedIn<'list_group_statuses'>(({ account, args }) => {
  const asked = account.staff.groups.filter(({ id }) => args.all === true || args.group_ids?.includes(id));
  const statusOf = (id: number) =>
    freeAgent(account, [id]) !== undefined ? 'online' : mayWait(account, [id]) ? 'online_for_queue' : 'offline';
  return { groups_status: Object.fromEntries(asked.map(({ id }) => [String(id), statusOf(id)] as const)) };
});

/** Goals that the visitor reaches with this page or these fields, once for each thread. */
export const checkGoals = writing<'check_goals'>((turn, { account, customer, args, now }) => {
  groupNamed(account, args.group_id);
  const chat = findChat(account, customer.chat_id);
  const thread = chat && latestThread(account, chat);
  if (!thread || thread.state !== 'counted') return {};
  const { record } = thread;
  const reached = account.staff.goals.filter(
    (goal) => goal.active === 1 && isReached(goal, args) && !record.goals.some(({ id }) => id === goal.id),
  );
  if (reached.length === 0) return {};
  record.goals.push(...reached.map((goal) => reachedGoal(goal, {}, now)));
  save(turn, thread);
  return {};
});

function isReached(
  { type, details }: GoalRecord,
  asked: { page_url: string; session_fields: Record<string, string>[] },
): boolean {
  if (type === 'url') {
    const url = String(details.url);
    return details.match_type === 'exact' ? asked.page_url === url : asked.page_url.includes(url);
  }
  if (type !== 'custom_variable') return false;
  const { custom_variable_name, custom_variable_value } = details;
  return asked.session_fields.some((pair) => pair[String(custom_variable_name)] === String(custom_variable_value));
}

export const getForm = signedIn<'get_form'>(({ account, args }) => ({
  enabled: true,
  form: formOf(account, args.type, groupNamed(account, args.group_id)),
}));

/** Of the chat that goes on, else of one that would begin now: all agents have access to it unless the customer says so. */
export const getPredictedAgent = signedIn<'get_predicted_agent'>(({ account, customer }) => {
  const groups = activeThreadOf(account, customer)?.record.groups ?? allAgents;
  const free = freeAgent(account, groups);
  const load = loads(account);
  const least = accepting(account, groups).sort((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0))[0];
  const login = free ?? (mayWait(account, groups) ? least : undefined);
  if (login === undefined) throw refuse.v3(isOnline(account, groups) ? 'group_unavailable' : 'group_offline');
  const { name, avatar, job_title } = account.staff.agents.find((agent) => agent.login === login)!;
  return {
    agent: { id: hashedAgent(account, login), name, avatar, is_bot: false, job_title, type: 'agent' },
    queue: free === undefined,
  };
});

const remembered = 20;

/** The greeting was seen: reports count it. */
export const acceptGreeting = writing<'accept_greeting'>(({ after, now }, { account, customer, args }) => {
  const greeting = account.staff.greetings.find(({ id, active }) => id === args.greeting_id && active);
  if (!greeting) throw refuse.v3('greeting_not_found');
  if (customer.greetings.seen.includes(args.unique_id)) return {};
  remember(account, customer, args.unique_id);
  const display = { greeting: greeting.id, group: greeting.group, at: now, chat_id: null };
  account.store.live.putDisplay(display);
  after.push(() => account.displays.put(display));
  return {};
});

function remember(account: ServiceAccount, customer: CustomerRecord, unique_id: string): void {
  const { greetings } = customer;
  const seen = [...greetings.seen, unique_id].slice(-remembered);
  account.store.live.putCustomer({ ...customer, greetings: { ...greetings, shown: greetings.shown + 1, seen } });
}

/** A greeting that was put away is not counted again. */
export const cancelGreeting = signedIn<'cancel_greeting'>(() => ({}));
