// Small accounts made by hand, so that every expected number can be worked out on paper.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryOf } from '#contract/query.ts';
import { reports, type ReportBody, type ReportId } from '#contract/reports.ts';
import { addDay, inOrder, loadAccount, type ServiceAccount } from '#service/account.ts';
import type {
  AgentRecord,
  ChatEvent,
  ChatRecord,
  DayRecords,
  GreetingDisplay,
  QueueDeparture,
  Staff,
  StatusInterval,
  TicketRecord,
} from '#service/records.ts';
import { answersOf } from '#service/reports/answers.ts';
import { startService, type Service, type ServiceOptions } from '#service/service.ts';
import { openStore } from '#service/store.ts';
import { dateOf, dayOf } from '#service/zone.ts';

export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

/** Unix seconds of an ISO instant with offset. */
export const at = (iso: string): number => Date.parse(iso) / 1000;

let chats = 0;

/** A chat of ann in group 1; by default it begins with her welcome and nothing else. */
export function chat(started: string, ended: string, own: Partial<ChatRecord> = {}): ChatRecord {
  const number = String(++chats).padStart(4, '0');
  return {
    id: `CHAT00${number}`,
    visitor: {
      id: `S${number}`,
      name: 'Mary Brown',
      email: 'mary@example.com',
      ip: '203.0.113.13',
      city: 'Kraków',
      country: 'Poland',
      country_code: 'PL',
      region: 'Małopolskie',
      timezone: 'Europe/Warsaw',
      user_agent: 'test',
    },
    agents: [{ display_name: 'Ann', email: ann }],
    supervisors: [],
    started: at(started),
    ended: at(ended),
    groups: [1],
    engagement: 'immediate_start',
    greeting_id: null,
    chat_start_url: 'https://example.com',
    referrer: null,
    queue_seconds: null,
    events: [],
    ratings: [],
    tags: [],
    goals: [],
    prechat_survey: [],
    postchat_survey: [],
    custom_variables: [],
    integration_variables: [],
    ...own,
  };
}

/** Lines in order: `v10` is a visitor's 10 s after the start, `a` ann's, `b` bob's, `s` a supervisor's, `f` a file of ann's. */
export function lines(started: string, ...codes: string[]): ChatEvent[] {
  const authors: Record<string, Omit<ChatEvent, 'at' | 'text'>> = {
    v: { type: 'message', user_type: 'visitor', author_name: 'Mary Brown' },
    a: { type: 'message', user_type: 'agent', author_name: 'Ann', agent_id: ann },
    b: { type: 'message', user_type: 'agent', author_name: 'Bob', agent_id: bob },
    s: { type: 'message', user_type: 'supervisor', author_name: 'Sue', agent_id: 'sue@example.com' },
    f: { type: 'attachment', user_type: 'agent', author_name: 'Ann', files: ['https://example.com/f.pdf'] },
  };
  return codes.map((code) => ({
    ...authors[code[0]!]!,
    at: at(started) + Number(code.slice(1)),
    text: `line ${code}`,
  }));
}

export function ticket(created: string, own: Partial<TicketRecord> = {}): TicketRecord {
  return {
    id: `T${++chats}`,
    source: 'mail',
    groups: [1],
    assignee: ann,
    created: at(created),
    first_response: null,
    solved: [],
    ratings: [],
    tags: [],
    ...own,
  };
}

const agent = (login: string, name: string, groups: number[]): AgentRecord => ({
  login,
  name,
  permission: 'normal',
  avatar: 'example.com/a.png',
  job_title: 'Support Agent',
  login_status: 'accepting chats',
  daily_summary: 1,
  notifications: { new_visitor: 1 },
  max_chats_count: 6,
  groups,
  api_key: `${name.toLowerCase()}key`.padEnd(32, '0'),
});

/** Ann is in group 1, Bob in groups 1 and 2. */
export const staff: Staff = {
  agents: [agent(ann, 'Ann', [1]), agent(bob, 'Bob', [1, 2])],
  groups: [
    { id: 0, name: 'All operators', language: 'en' },
    { id: 1, name: 'Sales', language: 'en' },
    { id: 2, name: 'Support', language: 'en' },
  ],
  goals: [{ id: 71, name: 'Checkout', active: 1, type: 'url', details: { match_type: 'exact', url: 'https://e.com' } }],
  greetings: [{ id: 5, active: true, name: 'Hello', group: 1, rules: [], message_text: 'Hi' }],
  canned_responses: [
    { id: 1, group: 0, text: 'Bye', creation_date: 1, created_by: ann, tags: ['bye'] },
    { id: 2, group: 1, text: 'Hi', creation_date: 1, created_by: ann, tags: [] },
  ],
  tags: [{ name: 'sales', author: ann, creation_date: 1, group: 1 }],
};

export interface Tiny {
  zone?: string;
  now: string;
  chats?: ChatRecord[];
  departures?: QueueDeparture[];
  displays?: GreetingDisplay[];
  statuses?: StatusInterval[];
  tickets?: TicketRecord[];
}

const recordsOf = (tiny: Tiny, date: string): DayRecords => ({
  date,
  chats: tiny.chats ?? [],
  departures: tiny.departures ?? [],
  displays: tiny.displays ?? [],
  statuses: tiny.statuses ?? [],
  tickets: tiny.tickets ?? [],
});

/** An account in memory, or in a file, and its reports, asked with a query string as on the wire. */
export function tinyAccount(tiny: Tiny, file = ':memory:') {
  const clock = { now: at(tiny.now) };
  const store = openStore(file);
  const account: ServiceAccount = loadAccount(store, staff, tiny.zone ?? 'UTC', () => clock.now);
  const day = recordsOf(tiny, '2026-01-01');
  addDay(account, day, store.writeDay(day, {}));
  inOrder(account);
  const answers = answersOf(account);
  return {
    clock,
    account,
    /** Throws what the door would answer with 400. */
    async ask<K extends ReportId>(id: K, query: string): Promise<ReportBody<K>> {
      return answers[id](reports[id].args.parse(queryOf(new URLSearchParams(query)))) as Promise<ReportBody<K>>;
    },
  };
}

/** A running service over a hand-made account, in a folder of its own; everything happens on its first day. */
export async function tinyService(tiny: Tiny & { days?: number }, own: Partial<ServiceOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const clock = { now: at(tiny.now) };
  const options: ServiceOptions = {
    file: join(folder, 'service.sqlite'),
    clock: () => clock.now,
    zone: tiny.zone ?? 'UTC',
    days: tiny.days ?? 1,
    port: 0,
    apiKey: 'secret',
    world: ({ firstDay }) => ({
      staff,
      day: (index) => ({
        records: recordsOf(index === 0 ? tiny : { now: tiny.now }, dateOf(dayOf(firstDay) + index)),
        carry: index,
      }),
    }),
    ...own,
  };
  let service: Service = await startService(options);
  return {
    clock,
    options,
    service: () => service,
    /** The answer to the owner, or to whoever `headers` name. */
    ask: (path: string, headers: Record<string, string> = basic('owner@example.com', 'secret'), method = 'GET') =>
      fetch(service.url + path, { headers, method }),
    async restart(): Promise<void> {
      await service.close();
      service = await startService(options);
    },
    async end(): Promise<void> {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const basic = (login: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
