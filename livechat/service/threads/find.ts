// What a list_archives request asks of chats: ended, visible to the caller, and passing every filter.
import type { Among, ThreadFilters } from '#contract/list-archives.ts';
import type { ServiceAccount } from '../account.ts';
import { textsWith } from '../archive/text.ts';
import type { StoredBodies } from '../chat-tables.ts';
import type { ChatQuestion } from '../find-chats.ts';
import { tagsAt, type ChatPredicate, type LightChat } from '../light.ts';
import type { ChatRecord } from '../records.ts';
import { eventTypes } from './events.ts';
import { secondOf } from '../names.ts';
import { propertiesOf, readable } from './properties.ts';

type FieldValue = string | number | boolean;

/** What is asked of chats. */
export function questionOf(
  account: ServiceAccount,
  filters: ThreadFilters,
  sees: ChatPredicate | undefined,
  now: number,
): ChatQuestion {
  const { query, thread_ids, customer_countries } = filters;
  const when = (moment: string | undefined): number | undefined =>
    moment === undefined ? undefined : secondOf(moment);
  const texts = query ? textsWith(query, now) : undefined;
  const records = [...recordTests(filters, now), ...(texts ? [texts.isRecord] : [])];
  return {
    span: { from: when(filters.from), to: when(filters.to), ended_by: now },
    among: thread_ids?.flatMap((id) => account.store.live.numberOf(id) ?? []),
    tests: (bodies) => [
      ...(sees ? [sees] : []),
      ...testsOf(account, filters, now),
      ...(customer_countries ? [isOfCountry(bodies, upper(customer_countries))] : []),
    ],
    file: {
      ...texts,
      ...(records.length > 0 && { isRecord: (record) => records.every((isOne) => isOne(record)) }),
    },
  };
}

/** One test per given filter that needs no texts. */
function testsOf(account: ServiceAccount, filters: ThreadFilters, now: number): ChatPredicate[] {
  const { group_ids, agents, tags, sales, goals } = filters;
  const when = <T>(filter: T | undefined, make: (filter: T) => ChatPredicate): ChatPredicate[] =>
    filter === undefined ? [] : [make(filter)];
  const goalIds = (chat: LightChat, is_sale: boolean) =>
    chat.goals.filter((goal) => goal.is_sale === is_sale && goal.at <= now).map(({ id }) => id);
  return [
    ...when(
      group_ids,
      (ids) =>
        ({ groups }) =>
          groups.some((group) => ids.includes(group)),
    ),
    ...when(agents, (asked) => (chat) => isAmong(asked, chat.agents)),
    ...when(tags, (asked) => (chat) => isAmong(asked, tagsAt(chat, now))),
    ...when(sales, (asked) => (chat) => isAmong(inWords(asked), goalIds(chat, true).map(String))),
    ...when(goals, (asked) => (chat) => isAmong(inWords(asked), goalIds(chat, false).map(String))),
    ...when(filters.greetings, (asked) => greeted(account, asked)),
    ...when(filters.agent_response, (asked) => (chat) => isAnswered(chat, asked)),
  ];
}

/** Tests of the whole record. */
function recordTests(filters: ThreadFilters, now: number): ((chat: ChatRecord) => boolean)[] {
  const { properties, surveys, event_types } = filters;
  const tests: ((chat: ChatRecord) => boolean)[] = [];
  if (properties) tests.push((chat) => hasProperties(chat, properties, now));
  if (surveys)
    tests.push((chat) => hasAnswers(chat, Array.isArray(surveys) ? surveys : Object.values(surveys).flat(), now));
  if (event_types) tests.push((chat) => isAmong(event_types, [...eventTypes(chat, now)]));
  return tests;
}

/** Of a chat that an older version wrote the record alone tells the country. */
const isOfCountry =
  (bodies: StoredBodies, asked: Among<string>): ChatPredicate =>
  ({ number, country_code = bodies.of(number).visitor.country_code }) =>
    isAmong(asked, country_code ? [country_code] : []);

/** `values` are any of them, all of them with `require_every_value`; nothing asked is anything. */
export function isAmong<V extends FieldValue>(asked: Among<V>, own: readonly V[]): boolean {
  const { exists, values, exclude_values, require_every_value } = asked;
  if (exists !== undefined) return own.length > 0 === exists;
  if (exclude_values) return !own.some((value) => exclude_values.includes(value));
  if (!values) return true;
  return require_every_value
    ? values.every((value) => own.includes(value))
    : own.some((value) => values.includes(value));
}

const mapped = <V, W>(asked: Among<V>, change: (value: V) => W): Among<W> => ({
  ...asked,
  values: asked.values?.map(change),
  exclude_values: asked.exclude_values?.map(change),
});
const inWords = (asked: Among<string | number>): Among<string> => mapped(asked, String);
const upper = (asked: Among<string>): Among<string> => mapped(asked, (code) => code.toUpperCase());

function hasProperties(chat: ChatRecord, asked: NonNullable<ThreadFilters['properties']>, now: number): boolean {
  const own = readable(propertiesOf(chat, now), 'thread', 'agent');
  return Object.entries(asked).every(([namespace, names]) =>
    Object.entries(names).every(([name, filter]) => {
      const value = own[namespace]?.[name];
      return isAmong<FieldValue>(filter, value === undefined || value === null ? [] : [value]);
    }),
  );
}

type AskedSurvey = { type: 'pre_chat' | 'post_chat'; answer_id: string };

function hasAnswers(chat: ChatRecord, asked: readonly AskedSurvey[], now: number): boolean {
  const answered = {
    pre_chat: chat.prechat_survey,
    post_chat: chat.postchat_survey.filter(({ at }) => at <= now),
  };
  return asked.every(({ type, answer_id }) => answered[type].some(({ id }) => id === answer_id));
}

/** A thread that came from a greeting began when the greeting was accepted, and takes the greeting's group. */
function greeted({ staff }: ServiceAccount, asked: NonNullable<ThreadFilters['greetings']>): ChatPredicate {
  const { from, to, groups, ...which } = asked;
  const groupOf = new Map(staff.greetings.map(({ id, group }) => [id, group]));
  const in_time = ({ started }: LightChat) => (!from || started >= secondOf(from)) && (!to || started <= secondOf(to));
  return (chat) => {
    const own = chat.greeting === null ? [] : [chat.greeting];
    if (!isAmong(which, own)) return false;
    if ((from || to) && (own.length === 0 || !in_time(chat))) return false;
    return (
      !groups ||
      isAmong(
        groups,
        own.flatMap((id) => groupOf.get(id) ?? []),
      )
    );
  };
}

/** `first` looks at who sent the first response instead of at everybody who sent one. */
function isAnswered(chat: LightChat, asked: NonNullable<ThreadFilters['agent_response']>): boolean {
  const turns = asked.first ? (chat.first ? [chat.first] : []) : chat.turns;
  if (asked.exists !== undefined && turns.length > 0 !== asked.exists) return false;
  const agents = [...new Set(turns.map(({ agent }) => agent))];
  if (asked.agents && !isAmong(asked.agents, agents)) return false;
  return !asked.groups || isAmong(asked.groups, turns.length > 0 ? chat.groups : []);
}
