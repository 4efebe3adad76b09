// Properties of chats, threads and events: namespace, name, value; which of the default ones a caller may read and write.
import { z } from 'zod';

const most = { namespaces: 50, names: 100, characters: 4_000, total: 256 * 1024 } as const;
const word = z.string().regex(/^[\w.-]{1,100}$/, 'must have 1 to 100 letters, digits, dots, dashes and underscores');
const value = z.union(
  [z.string().max(most.characters, `must have at most ${most.characters} characters`), z.int(), z.boolean()],
  'must be text, a whole number or a boolean',
);

const within = (limit: number) => (given: object) =>
  Object.keys(given).length >= 1 && Object.keys(given).length <= limit;

/** Values of something that begins, which may have none. */
export const firstValues = z
  .record(word, z.record(word, value).refine(within(most.names), `must have 1 to ${most.names} names`))
  .refine((given) => Object.keys(given).length <= most.namespaces, `must have at most ${most.namespaces} namespaces`);
/** Values to set. */
export const propertyValues = firstValues.refine(
  within(most.namespaces),
  `must have 1 to ${most.namespaces} namespaces`,
);
/** Names to delete. */
export const propertyNames = z
  .record(word, z.array(word).min(1, 'must not be empty').max(most.names, `must have at most ${most.names}`))
  .refine(within(most.namespaces), `must have 1 to ${most.namespaces} namespaces`);

/** Whether one owner may have all of these; `total` is of characters of JSON. */
export const areWithinLimits = (values: PropertyValues): boolean =>
  Object.keys(values).length <= most.namespaces &&
  Object.values(values).every((own) => Object.keys(own).length <= most.names) &&
  JSON.stringify(values).length <= most.total;

type PropertyValue = z.infer<typeof value>;
export type PropertyValues = Record<string, Record<string, PropertyValue>>;
export type PropertyNames = z.infer<typeof propertyNames>;

/** What has properties. */
export type PropertyOwner = 'chat' | 'thread' | 'event';
export type PropertyReader = 'agent' | 'customer';
type Right = 'r' | 'rw';

interface DefaultProperty {
  type: 'string' | 'int' | 'bool';
  of?: readonly PropertyValue[];
  is_email?: true;
  agent?: Partial<Record<PropertyOwner, Right>>;
  customer?: Partial<Record<PropertyOwner, Right>>;
}

const everywhere = (right: Right) => ({ chat: right, thread: right, event: right });
const both = (rights: Partial<Record<PropertyOwner, Right>>) => ({ agent: rights, customer: rights });
const text = { type: 'string' } as const;
const whole = { type: 'int' } as const;
const flag = { type: 'bool' } as const;
const greeting = { agent: { thread: 'r', event: 'r' }, customer: { thread: 'rw', event: 'r' } } as const;
const rated = { agent: everywhere('r'), customer: everywhere('rw') } as const;
const translation = { agent: { event: 'rw' }, customer: { event: 'r' } } as const;
const forms = ['prechat', 'postchat', 'ticket'];

/** The properties of every account. Those of other namespaces may be set by anybody who may change the chat. */
const defaultProperties: Readonly<Record<string, Readonly<Record<string, DefaultProperty>>>> = {
  lc2: {
    file_safety_confirmation: { ...flag, agent: { event: 'rw' } },
    form_type: { ...text, of: forms, agent: { event: 'r' }, customer: { event: 'rw' } },
    greeting_id: { ...whole, ...greeting },
    greeting_unique_id: { ...text, ...greeting },
    welcome_author_id: { ...text, customer: { chat: 'rw', thread: 'rw' } },
    welcome_message: { ...flag, ...both({ event: 'r' }) },
    welcome_text: { ...text, customer: { chat: 'rw', thread: 'rw' } },
  },
  rating: { comment: { ...text, ...rated }, score: { ...whole, of: [0, 1], ...rated } },
  routing: {
    continuous: { ...flag, ...both({ chat: 'r', thread: 'r' }) },
    email_follow_up: { ...flag, agent: { chat: 'r' }, customer: { chat: 'rw' } },
    idle: { ...flag, agent: { thread: 'r' } },
    ignore_agents_routing: { ...flag, ...both({ chat: 'rw' }) },
    ignore_bots: { ...flag, customer: { thread: 'rw' } },
    last_transfer_timestamp: { ...whole, agent: { thread: 'r' } },
    offline_message: { ...flag, agent: { thread: 'r' }, customer: { thread: 'rw' } },
    pinned: { ...flag, agent: { chat: 'rw', thread: 'r' } },
    referrer: { ...text, agent: { thread: 'r' } },
    start_url: { ...text, ...both({ thread: 'r' }) },
    transcript_email: { ...text, is_email: true, agent: { thread: 'r' }, customer: { thread: 'rw' } },
    unassigned: { ...flag, agent: { chat: 'r', thread: 'r' } },
    unreplied: { ...flag, agent: { thread: 'r' } },
    was_pinned: { ...flag, agent: { chat: 'r' } },
  },
  source: {
    client_id: { ...text, ...both(everywhere('r')) },
    customer_client_id: { ...text, ...both({ chat: 'r', thread: 'r' }) },
  },
  status: { delivered: { ...flag, ...both({ event: 'rw' }) } },
  test: {
    bool_property: { ...flag, ...both(everywhere('rw')) },
    int_property: { ...whole, ...both(everywhere('rw')) },
    string_property: { ...text, ...both(everywhere('rw')) },
    tokenized_string_property: { ...text, ...both(everywhere('rw')) },
  },
  translation: {
    source_lang_code: { ...text, ...translation },
    target_lang_code: { ...text, ...translation },
    target_message: { ...text, ...translation },
  },
  url_details: Object.fromEntries(
    ['description', 'image_height', 'image_url', 'image_width', 'title', 'url'].map((name) => [
      name,
      { ...(/height|width/.test(name) ? whole : text), ...both({ event: 'rw' }) },
    ]),
  ),
};

/** Names such as `constructor` are inherited by every object and no property of it. */
function defaultOf(namespace: string, name: string): DefaultProperty | undefined {
  const known = Object.hasOwn(defaultProperties, namespace) ? defaultProperties[namespace]! : {};
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

/** Whether the reader may read a property, or write it. */
export function hasRight(
  right: Right,
  { namespace, name }: { namespace: string; name: string },
  owner: PropertyOwner,
  reader: PropertyReader,
): boolean {
  if (!Object.hasOwn(defaultProperties, namespace)) return true;
  const granted = defaultOf(namespace, name)?.[reader]?.[owner];
  return right === 'rw' ? granted === 'rw' : granted !== undefined;
}

/** What is wrong with a value of a default property, or undefined. */
export function wrongValue(namespace: string, name: string, given: PropertyValue): string | undefined {
  const known = defaultOf(namespace, name);
  if (!known) return undefined;
  const is_typed =
    known.type === 'int' ? typeof given === 'number' : typeof given === (known.type === 'bool' ? 'boolean' : 'string');
  if (!is_typed) return `must be of type ${known.type}`;
  if (known.is_email && !z.email().safeParse(given).success) return 'must be an e-mail address';
  return known.of && !known.of.includes(given) ? `must be one of ${known.of.join(', ')}` : undefined;
}
