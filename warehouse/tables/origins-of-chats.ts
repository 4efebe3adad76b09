// Which fields of an archived chat the columns of facts are made of. Records of the v3 archive are brought into this form first.
import type { Origins } from './origins.ts';

const times = ['started_timestamp'];
const ends = ['started_timestamp', 'ended_timestamp', 'duration'];
/** What every row of a chat begins with. */
const base = { chat_id: ['id'], started_at: times, started_quarter: times };

/** Lines are `messages` where a chat has no `events`. */
const lines = ['events[].timestamp', 'events[].type', 'events[].user_type'];
/** Who wrote a line: its login, else the agent of that name, the one before, or the first. */
const writers = [...lines, 'events[].agent_id', 'events[].author_name', 'agents[].email', 'agents[].display_name'];
const repeated = { rate: ['rate'], queue_seconds: ['queue.duration'], is_replied: lines };
const responses = { first_response_seconds: lines, response_seconds: lines };
const each = (survey: string, field: string): string => `${survey}_survey[]${field}`;
const surveys = (field: string): string[] => ['prechat', 'postchat'].map((survey) => each(survey, field));

export const originsOfChats: Origins = {
  request: 'GET /chats',
  decoder: 'etl/decode/chats.ts',
  tables: {
    'facts.chats': {
      ...{ ...base, ...repeated, ...responses },
      ended_at: ends,
      started_second: times,
      ended_second: ends,
      duration_seconds: ends,
      visitor_id: ['visitor.id'],
      visitor_name: ['visitor.name'],
      country: ['visitor.country'],
      country_code: ['visitor.country_code'],
      city: ['visitor.city'],
      region: ['visitor.region'],
      visitor_timezone: ['visitor.timezone'],
      engagement: ['engagement'],
      start_url: ['chat_start_url'],
      referrer: ['referrer'],
      message_count: lines.slice(1),
      first_response_agent: writers,
      response_turns: lines,
      source_timezone: ['timezone'],
    },
    'facts.messages': {
      ...base,
      position: ['events[].timestamp'],
      at: ['events[].timestamp'],
      at_second: ['events[].timestamp'],
      kind: ['events[].type'],
      user_type: ['events[].user_type'],
      agent: writers,
      author_name: ['events[].author_name'],
      event_type: ['events[].event_type'],
      is_welcome: lines,
      text: ['events[].text'],
      files: ['events[].files[]'],
    },
    'facts.chat_agents': {
      ...{ ...base, ...repeated },
      agent: ['agents[].email'],
      agent_name: ['agents[].display_name'],
      position: ['agents[]'],
      first_response_seconds: writers,
      response_sum_seconds: writers,
      response_turns: writers,
    },
    'facts.chat_turns': { ...base, position: lines, agent: writers, asked_second: lines, answered_second: lines },
    'facts.chat_groups': { ...base, ...repeated, ...responses, group_id: ['group[]'] },
    'facts.chat_tags': { ...base, ...repeated, ...responses, tag: ['tags[]'] },
    'facts.chat_goals': {
      ...base,
      position: ['goals[]'],
      goal_id: ['goals[].id'],
      goal_name: ['goals[].name'],
      is_sale_tracker: ['goals[].type'],
      reached_at: ['goals[].timestamp', 'started_timestamp'],
      reached_quarter: ['goals[].timestamp', 'started_timestamp'],
      order_id: ['goals[].order.id'],
      order_description: ['goals[].order.description'],
      price: ['goals[].order.price'],
      currency: ['goals[].order.currency'],
    },
    'facts.chat_surveys': {
      ...base,
      survey: surveys(''),
      position: surveys(''),
      question: surveys('.key'),
      answer: surveys('.value'),
      question_id: surveys('.id'),
    },
    'facts.chat_variables': { ...base, name: ['custom_variables[].key'], value: ['custom_variables[].value'] },
  },
};
