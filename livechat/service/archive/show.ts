// One chat as the archive shows it at an instant; later changes are omitted. Keys follow the order of the documentation.
import type { ArchivedChat } from '#contract/archive.ts';
import type { ChatEvent, ChatGoal, ChatRecord } from '../records.ts';
import type { Zone } from '../zone.ts';
import { wallAt } from '../zone.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function shownChat(chat: ChatRecord, zone: Zone, now: number): ArchivedChat {
  const is_pending = chat.ended > now;
  const date = (instant: number) => longDate(zone, instant);
  const events = [...chat.events].filter((event) => event.at <= now && isLine(event)).sort((a, b) => a.at - b.at);
  const goals = chat.goals.filter((goal) => goal.at <= now);
  return {
    type: 'chat',
    id: chat.id,
    visitor: shownVisitor(chat),
    agents: chat.agents,
    supervisors: chat.supervisors,
    rate: [...chat.ratings].sort((a, b) => a.at - b.at).findLast((rating) => rating.at <= now)?.rate ?? 'not_rated',
    duration: Math.min(chat.ended, now) - chat.started,
    chat_start_url: chat.chat_start_url,
    ...(chat.referrer !== null && { referrer: chat.referrer }),
    group: chat.groups,
    started: date(chat.started),
    ...(is_pending && { pending: true }),
    prechat_survey: chat.prechat_survey.map(({ key, value, id }) => ({ key, value, id })),
    postchat_survey: chat.postchat_survey
      .filter((answer) => answer.at <= now)
      .map(({ key, value, id }) => ({ key, value, id })),
    ...(chat.custom_variables.length > 0 && { custom_variables: chat.custom_variables }),
    ...(chat.integration_variables.length > 0 && { integration_variables: chat.integration_variables }),
    ...(goals.length > 0 && { goals: goals.map((goal) => shownGoal(goal, date)) }),
    ...(chat.queue_seconds !== null && { queue: { duration: chat.queue_seconds } }),
    tags: [...new Set([...chat.tags].sort((a, b) => a.at - b.at).flatMap(({ at, tag }) => (at <= now ? tag : [])))],
    timezone: zone.name,
    messages: events
      .filter((event) => event.type === 'message')
      .map((event) => ({ author_name: event.author_name ?? '', ...line(event, date) })),
    events: events.map((event) => shownEvent(event, date)),
    engagement: chat.engagement,
    started_timestamp: chat.started,
    ...(!is_pending && { ended_timestamp: chat.ended, ended: date(chat.ended) }),
  };
}

/** Forms are surveys here and ratings a field of the chat; what only programs read is no line. */
const isLine = ({ v3 }: ChatEvent): boolean =>
  v3 === undefined ||
  !(['filled_form', 'form', 'custom'].includes(v3.type) || v3.system_message_type?.startsWith('rating.'));

/** `Wed, 01/23/13 11:40:53 am` on the wall clock of the zone. */
function longDate(zone: Zone, instant: number): string {
  const wall = new Date(wallAt(zone, instant) * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hour = wall.getUTCHours();
  const day = `${two(wall.getUTCMonth() + 1)}/${two(wall.getUTCDate())}/${two(wall.getUTCFullYear() % 100)}`;
  const time = `${two(hour % 12 || 12)}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
  return `${WEEKDAYS[wall.getUTCDay()]}, ${day} ${time} ${hour < 12 ? 'am' : 'pm'}`;
}

function shownVisitor({ visitor }: ChatRecord): ArchivedChat['visitor'] {
  const { id, name, ip, city, country, country_code, timezone, region, user_agent } = visitor;
  return { id, name, ip, city, country, country_code, timezone, region, user_agent };
}

function shownGoal(goal: ChatGoal, date: (instant: number) => string): NonNullable<ArchivedChat['goals']>[number] {
  const { id, name, type, at, order } = goal;
  return { id, name, ...(type && { type }), date: date(at), timestamp: at, order };
}

function line(event: ChatEvent, date: (instant: number) => string) {
  const { text, at, user_type, agent_id } = event;
  return { text, date: date(at), timestamp: at, user_type, ...(agent_id !== undefined && { agent_id }) };
}

function shownEvent(event: ChatEvent, date: (instant: number) => string): ArchivedChat['events'][number] {
  const { type, text, at, user_type, author_name, agent_id, files, event_type } = event;
  if (type === 'message') return { author_name: author_name ?? '', ...line(event, date), type };
  return {
    text,
    date: date(at),
    timestamp: at,
    type,
    ...(event_type !== undefined && { event_type }),
    user_type,
    ...(files && { files }),
    ...(author_name !== undefined && { author_name }),
    ...(agent_id !== undefined && { agent_id }),
  };
}
