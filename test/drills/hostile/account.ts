// A hand-made account in which texts stand wherever somebody else may write: names, tags, surveys, goals, lines, places.
import type { ChatRecord, DayRecords, Staff } from '#service/records.ts';
import { chat, staff, ticket } from '../../livechat/service/tiny.ts';

const HOUR = 3600;
const iso = (second: number): string => new Date(second * 1000).toISOString();

export interface Account {
  staff: Staff;
  records: Partial<DayRecords>;
  /** Seconds; every chat and ticket lies before it. */
  chats: number;
}

export const ordinary = ['sales', 'billing question', 'Zoë'];

/** So many chats that each text is a tag, an agent, a group and everything else of several of them. */
export function accountOf(texts: readonly string[], now: number, count = Math.max(24, 2 * texts.length)): Account {
  const agents = texts.map((text, index) => ({
    ...staff.agents[0]!,
    ...{ login: text, name: text, groups: [index + 1], api_key: `key${index}`.padEnd(32, '0') },
  }));
  const goal = { ...staff.goals[0]!, type: 'sales_tracker' as const };
  const chats = Array.from({ length: count }, (_, index) =>
    talk(texts[index % texts.length]!, index % texts.length, index, now),
  );
  return {
    staff: {
      agents,
      groups: [staff.groups[0]!, ...texts.map((name, index) => ({ id: index + 1, name, language: 'en' }))],
      goals: texts.map((name, index) => ({ ...goal, id: 100 + index, name })),
      greetings: texts.map((name, index) => ({ ...staff.greetings[0]!, id: 200 + index, name, message_text: name })),
      canned_responses: texts.map((text, index) => ({
        ...{ id: 300 + index, group: 0, text, creation_date: 1, created_by: text, tags: [text] },
      })),
      tags: texts.map((name) => ({ name, author: name, creation_date: 1, group: 0 })),
    },
    records: {
      chats,
      departures: texts.map((text, index) => ({
        ...{ visitor_id: text, group: index + 1, queued: now - 30 * HOUR, left: now - 30 * HOUR + 90 },
      })),
      displays: texts.map((_, index) => ({
        ...{ greeting: 200 + index, group: index + 1, at: now - 31 * HOUR, chat_id: null },
      })),
      statuses: texts.map((agent) => ({
        ...{ agent, status: 'accepting chats' as const, from: now - 60 * HOUR, to: now - 2 * HOUR },
      })),
      tickets: texts.map((text, index) => ({
        ...ticket(iso(now - (28 + index) * HOUR), {
          ...{
            assignee: text,
            groups: [index + 1],
            tags: [text],
            ratings: [{ at: now - 5 * HOUR, rate: 'rated_good' }],
          },
        }),
      })),
    },
    chats: count,
  };
}

function talk(text: string, place: number, index: number, now: number): ChatRecord {
  const at = now - (26 + index) * HOUR;
  const base = chat(iso(at), iso(at + 600), {
    agents: [{ display_name: text, email: text }],
    groups: [place + 1],
    engagement: index % 3 ? 'immediate_start' : 'auto_invite',
    greeting_id: index % 3 ? null : 200 + place,
    queue_seconds: 30,
    chat_start_url: text,
    referrer: text,
    events: [
      { at: at + 5, type: 'message', user_type: 'visitor', author_name: text, text: `${text} hello` },
      { at: at + 25, type: 'message', user_type: 'agent', author_name: text, agent_id: text, text },
      { at: at + 60, type: 'attachment', user_type: 'agent', author_name: text, agent_id: text, text, files: [text] },
      { at: at + 600, type: 'event', user_type: 'visitor', event_type: 'closed', author_name: text, text },
    ],
    tags: [{ at: at + 60, tag: text }],
    ratings: [{ at: at + 650, rate: index % 3 ? 'rated_good' : 'rated_bad', comment: text }],
    prechat_survey: [{ key: text, value: text, id: text }],
    postchat_survey: [{ at: at + 660, key: text, value: `${text} ${'and more of it '.repeat(3)}`, id: '1' }],
    custom_variables: [{ key: text, value: text }],
    integration_variables: [{ key: text, value: text }],
    goals: [
      {
        ...{ id: 100 + place, name: text, type: 'sales_tracker' as const, at: at + 300 },
        order: { id: text, description: text, price: '19.99', currency: text.slice(0, 60) },
      },
    ],
  });
  const { visitor } = base;
  return { ...base, visitor: { ...visitor, name: text, city: text, country: text, region: text, user_agent: text } };
}
