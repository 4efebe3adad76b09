// The records that the embedded service stores, one type each. Instants are Unix seconds (integers). A record may lie ahead of the clock:
// the simulated account writes whole days, and readers must show only what has happened by `now` (see `visible` in store.ts).
import type { PropertyValues } from '#contract/properties.ts';
import type { ThreadEvent } from '#contract/threads.ts';

export type LoginStatus = 'accepting chats' | 'not accepting chats';
type Permission = 'owner' | 'administrator' | 'normal';

/** One agent of the account; `status`, `last_logout` and group names are derived from other records. */
export interface AgentRecord {
  login: string;
  name: string;
  permission: Permission;
  avatar: string;
  job_title: string;
  login_status: LoginStatus;
  daily_summary: 0 | 1;
  notifications: Record<string, 0 | 1>;
  max_chats_count: number;
  /** Group ids; group 0 holds everybody and is never listed here. */
  groups: number[];
  /** 32 lower hex digits. */
  api_key: string;
  work_scheduler?: Record<string, { enabled: 0 | 1; start: string; end: string }>;
  /** Salt and hash; missing where none was set. */
  password?: string;
}

/** A group as stored; group 0, "All operators", is a record too, without agents of its own. */
export interface GroupRecord {
  id: number;
  name: string;
  language: string;
}

/** An interval in which an agent was logged in. Intervals of one agent never overlap; without an interval the agent is offline. */
export interface StatusInterval {
  agent: string;
  status: LoginStatus;
  from: number;
  /** Exclusive; may lie ahead of the clock. */
  to: number;
}

export interface VisitorRecord {
  id: string;
  name: string;
  email: string;
  ip: string;
  city: string;
  country: string;
  country_code: string;
  region: string;
  timezone: string;
  user_agent: string;
}

export interface ChatEvent {
  at: number;
  type: 'message' | 'attachment' | 'event';
  user_type: 'agent' | 'visitor' | 'supervisor';
  author_name?: string;
  agent_id?: string;
  text: string;
  files?: string[];
  event_type?: string;
  /** The event as the v3.5 API shows it, of events that came through a v3 API; others are derived from the fields above. */
  v3?: Omit<ThreadEvent, 'created_at'>;
}

export interface SurveyAnswer {
  key: string;
  value: string;
  id: string;
  /** An event of the thread tells it already. */
  has_message?: true;
}

export interface ChatGoal {
  /** Goal id, or the sales tracker's id. */
  id: number;
  name: string;
  type?: 'sales_tracker';
  at: number;
  /** `price` as in the archive: text, sometimes a number. Plain goals have empty texts and '0'. */
  order: { id: string; description: string; price: string | number; currency: string };
}

export interface ChatRating {
  at: number;
  rate: 'rated_good' | 'rated_bad' | 'rated' | 'not_rated';
  comment?: string;
  /** `events` holds the system message about it. */
  has_message?: true;
}

/** The end of a chat that is open and that nothing will end by itself. */
export const openEnded = Number.MAX_SAFE_INTEGER;

/** Somebody on the user list of a thread. */
export interface ThreadMember {
  /** Login of an agent, id of a bot, UUID of a customer. */
  id: string;
  type: 'agent' | 'customer';
  visibility: 'all' | 'agents';
  /** Whether the user is in the chat now. */
  present: boolean;
  /** Assigned by routing: another agent takes over when this one goes offline. */
  is_routed?: true;
}

/** What callers of the v3 APIs did to a thread, beyond the fields of the archive. */
export interface LiveThread {
  /** The v3 chat that the thread belongs to. */
  chat_id: string;
  members: ThreadMember[];
  /** The client whose token began the thread; the service's own window has none. */
  client_id?: string;
  /** Set by callers, over those that are derived from the record. */
  properties: PropertyValues;
  /** By event id. */
  event_properties: Record<string, PropertyValues>;
  /** The highest number that an event id has. */
  last_event: number;
  /** Characters of all events that callers sent. */
  said?: number;
  /** Instant of the last message, for the end by inactivity. */
  active_at: number;
  is_idle?: true;
  /** Nobody has the chat since then, by a transfer or as its agent went: the next free agent of its groups gets it. */
  awaits_since?: number;
  /** Rises with everybody who begins to wait: who of one second came first. */
  wait_number?: number;
  /** Instant at which routing or a transfer gave the chat to its agent. */
  assigned_at?: number;
}

/** One conversation. Whatever follows the chat (ratings, tags, goals, the post-chat survey) has its own instant. */
export interface ChatRecord {
  /** 10 upper-case letters and digits. */
  id: string;
  visitor: VisitorRecord;
  /** Everybody who took part, in order of joining; the first is who the chat was assigned to first. */
  agents: { display_name: string; email: string }[];
  supervisors: { display_name: string; email: string }[];
  started: number;
  /** At least `started`; until the clock reaches it the chat is pending. */
  ended: number;
  groups: number[];
  engagement: 'auto_invite' | 'manual_invite' | 'immediate_start';
  /** The greeting that led to the chat, with engagement auto_invite. */
  greeting_id: number | null;
  chat_start_url: string;
  referrer: string | null;
  /** The wait before `started`, when the chat came out of the queue (0 is possible). */
  queue_seconds: number | null;
  /** Messages, attachments and events in order; the first may be the welcome message at `started`. */
  events: ChatEvent[];
  /** All ratings in order of time; the last one that the clock has reached applies. */
  ratings: ChatRating[];
  tags: { at: number; tag: string }[];
  goals: ChatGoal[];
  prechat_survey: SurveyAnswer[];
  postchat_survey: (SurveyAnswer & { at: number })[];
  custom_variables: { key: string; value: string }[];
  integration_variables: { key: string; value: string }[];
  /** Missing while no caller of the v3 APIs has touched the chat. */
  live?: LiveThread;
}

/** A visitor who waited and went away without a chat. */
export interface QueueDeparture {
  visitor_id: string;
  group: number;
  queued: number;
  left: number;
}

/** A greeting that was shown to a visitor; `chat_id` when a chat came from it. */
export interface GreetingDisplay {
  greeting: number;
  group: number;
  at: number;
  chat_id: string | null;
}

/** A ticket; counted by its own instants, each visible once the clock has reached it. */
export interface TicketRecord {
  id: string;
  source: 'chat_window' | 'mail' | 'chat';
  groups: number[];
  /** Login of the assignee. */
  assignee: string | null;
  created: number;
  first_response: number | null;
  /** Every solution in order; a reopened ticket counts at the last one the clock has reached. */
  solved: number[];
  ratings: { at: number; rate: 'rated_good' | 'rated_bad' }[];
  tags: string[];
}

export interface GoalRecord {
  id: number;
  name: string;
  active: 0 | 1;
  type: 'custom_variable' | 'url' | 'api' | 'sales_tracker';
  /** The type's extra fields, as in the answer for a single goal. */
  details: Record<string, string | number>;
}

export interface GreetingRule {
  id: number;
  type: string;
  operator?: string;
  condition: 'and';
  value?: string;
  variable_name?: string;
  variable_value?: string;
  urls?: { url: string; operator: string }[];
}

export interface GreetingRecord {
  id: number;
  active: boolean;
  name: string;
  group: number;
  rules: GreetingRule[];
  message_text: string;
  subtype?: 'announcement';
}

export interface CannedResponseRecord {
  id: number;
  group: number;
  text: string;
  creation_date: number;
  created_by: string;
  modification_date?: number;
  modified_by?: string;
  tags: string[];
}

export interface TagRecord {
  name: string;
  author: string;
  creation_date: number;
  group: number;
}

/** The parts of an account that do not depend on the day. */
export interface Staff {
  agents: AgentRecord[];
  groups: GroupRecord[];
  goals: GoalRecord[];
  greetings: GreetingRecord[];
  canned_responses: CannedResponseRecord[];
  tags: TagRecord[];
}

/** Everything that one simulated local day adds. */
export interface DayRecords {
  /** Local date in the account's zone, YYYY-MM-DD. */
  date: string;
  chats: ChatRecord[];
  departures: QueueDeparture[];
  displays: GreetingDisplay[];
  statuses: StatusInterval[];
  tickets: TicketRecord[];
}
