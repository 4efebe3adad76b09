// What remains of a record when its visitor is erased or it is old: identities and texts go, counted values stay. Pure. Only fields
// listed here are kept; unknown fields are emptied.
import type { Tells } from '#warehouse/tables/tables.ts';
import { dotted, erasedName } from './dots.ts';
import { isObject } from '../json-object.ts';
import { isThreaded } from './subject.ts';

/** What becomes of a value. Undefined: its field goes. */
export interface Wash {
  /** The id of the visitor or of another person. */
  id(value: unknown): unknown;
  name(value: unknown): unknown;
  /** Its length stays. */
  words(value: unknown, tells: Tells): unknown;
  /** A text that must be there. */
  emptied(value: unknown, tells: Tells): unknown;
  gone(value: unknown, tells: Tells): unknown;
}

type WashRule = (value: unknown, wash: Wash) => unknown;

const kept: WashRule = (value) => value;
const id: WashRule = (value, wash) => wash.id(value);
const name: WashRule = (value, wash) => wash.name(value);
const said: WashRule = (value, wash) => wash.words(value, 'texts');
/** Form answers, which often contain names or addresses, and unknown values. */
const words: WashRule = (value, wash) => wash.words(value, 'both');
const emptied: WashRule = (value, wash) => wash.emptied(value, 'names');
const gone: WashRule = (value, wash) => wash.gone(value, 'names');
/** Addresses of files, comments of ratings and the like. */
const sent: WashRule = (value, wash) => wash.gone(value, 'both');
const sentAddress: WashRule = (value, wash) => wash.emptied(value, 'both');

const each =
  (rule: WashRule): WashRule =>
  (value, wash) =>
    Array.isArray(value) ? value.map((item) => rule(item, wash)) : wash.words(value, 'both');

const fields =
  (rules: Readonly<Record<string, WashRule>>, rest: WashRule = words): WashRule =>
  (value, wash) => {
    if (!isObject(value)) return wash.words(value, 'both');
    const left = Object.entries(value).map(([key, item]) => {
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
      return [key, (rule ?? rest)(item, wash)] as const;
    });
    return Object.fromEntries(left.filter(([, item]) => item !== undefined));
  };

const all = (rule: WashRule, ...names: string[]): Record<string, WashRule> =>
  Object.fromEntries(names.map((each) => [each, rule]));

const line: WashRule = (value, wash) => {
  const isVisitors = isObject(value) && value['user_type'] === 'visitor';
  return fields({
    ...all(kept, 'timestamp', 'date', 'type', 'user_type', 'event_type', 'agent_id'),
    ...{ author_name: isVisitors ? name : kept, text: said, files: sent },
  })(value, wash);
};

const answer = fields({ ...all(kept, 'key', 'id', 'type'), value: words });

const goal = fields({
  ...all(kept, 'id', 'name', 'type', 'date', 'timestamp'),
  order: fields(all(kept, 'price', 'currency'), emptied),
});

/** Record of GET /chats. */
const chat = fields({
  ...all(kept, 'type', 'id', 'pending', 'rate', 'engagement', 'queue', 'group', 'tags', 'agents', 'supervisors'),
  ...all(kept, 'duration', 'started', 'started_timestamp', 'ended', 'ended_timestamp', 'timezone'),
  ...all(emptied, 'chat_start_url', 'referrer'),
  ...{ custom_variables: each(fields({ key: kept, value: words })), integration_variables: gone },
  visitor: fields({ ...all(kept, 'country', 'country_code', 'timezone'), id, name }, gone),
  ...all(each(answer), 'prechat_survey', 'postchat_survey'),
  ...all(each(line), 'messages', 'events'),
  goals: each(goal),
});

const place = fields(all(kept, 'country', 'country_code', 'timezone'), gone);

const customer = fields(
  {
    ...all(kept, 'type', 'present', 'created_at'),
    id,
    name,
    last_visit: fields({ geolocation: place }, gone),
    session_fields: each(fields({})),
  },
  gone,
);

const user: WashRule = (value, wash) => (isObject(value) && value['type'] === 'agent' ? kept : customer)(value, wash);

/** The chat's start page is removed with the visitor; all other fields are unknown. */
const routing: WashRule = (value, wash) => {
  const left = gone(value, wash);
  return left === undefined ? undefined : fields(all(kept, 'start_url', 'referrer'), sent)(left, wash);
};

const properties = fields(
  {
    lc2: fields(all(kept, 'form_type', 'greeting_id'), sent),
    rating: fields(all(kept, 'score'), sent),
    source: fields(all(kept, 'client_id', 'customer_client_id'), sent),
    routing,
  },
  sent,
);

const choice: WashRule = (value, wash) =>
  isObject(value) ? fields({ ...all(kept, 'id'), label: words })(value, wash) : words(value, wash);

const event = fields({
  ...all(kept, 'id', 'created_at', 'visibility', 'type', 'content_type', 'system_message_type'),
  ...{ author_id: id, text: said, name: said, url: sentAddress, properties },
  ...all(sent, 'text_vars', 'thumbnail_url', 'thumbnail2x_url'),
  fields: each(fields({ ...all(kept, 'id', 'type', 'label'), answer: choice, answers: each(choice) })),
});

/** Record of list_archives. */
const threaded = fields({
  ...all(kept, 'id', 'access', 'is_followed'),
  ...{ users: each(user), properties },
  thread: fields({
    ...all(kept, 'id', 'active', 'access', 'created_at', 'tags', 'queues_duration', 'restricted_access'),
    ...all(kept, 'previous_thread_id', 'next_thread_id'),
    ...all(kept, 'previous_accessible_thread_id', 'next_accessible_thread_id'),
    ...{ user_ids: each(id), events: each(event), properties, highlights: sent },
  }),
});

/** The record as the wash leaves it. */
export const washed = (record: unknown, wash: Wash): unknown => (isThreaded(record) ? threaded : chat)(record, wash);

/** All of a value becomes dots and zeros. */
export function blank(value: unknown): unknown {
  if (typeof value === 'string') return dotted(value);
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.map(blank);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blank(item)])) : value;
}

/** For the records of an erased visitor with this id. */
export const ofErased = (visitor: string | undefined, pseudonym: string): Wash => ({
  id: (value) => (visitor !== undefined && String(value) === visitor ? pseudonym : value),
  name: (value) => (typeof value === 'string' && value !== '' ? erasedName : value),
  words: blank,
  emptied: (value) => (typeof value === 'string' ? '' : undefined),
  gone: () => undefined,
});

/** For records that must lose these kinds of content; the visitor's id stays. */
export function ofOld(gone: ReadonlySet<Exclude<Tells, 'both'>>): Wash {
  const all = ofErased(undefined, '');
  const goes = (tells: Tells): boolean => (tells === 'both' ? gone.size > 0 : gone.has(tells));
  return {
    id: (value) => value,
    name: (value) => (goes('names') ? all.name(value) : value),
    words: (value, tells) => (goes(tells) ? all.words(value, tells) : value),
    emptied: (value, tells) => (goes(tells) ? all.emptied(value, tells) : value),
    gone: (value, tells) => (goes(tells) ? all.gone(value, tells) : value),
  };
}

/** For other people's records: `change` is applied to their texts. */
export function ofOthers(change: (text: string) => string): Wash {
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(deep);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item)])) : value;
  };
  return { id: (value) => value, name: deep, words: deep, emptied: deep, gone: deep };
}
