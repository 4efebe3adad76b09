// The twelve agents of the simulated account and its groups: who works when, how well, and at how many chats at once.
import type { AgentRecord, GroupRecord } from '../records.ts';
import { Random } from './random.ts';

export type ShiftName = 'early' | 'middle' | 'late' | 'night';

/** An agent with properties that no API shows: usual shift, days off, speed and quality. */
export interface Worker {
  index: number;
  record: AgentRecord;
  shift: ShiftName;
  /** The place among those of the same shift, who do not all go to lunch at once. */
  turn: number;
  /** Weekdays without a shift, 1 is Monday. */
  off: readonly number[];
  /** 1 is average; above is faster and better rated. */
  skill: number;
  /** Whether the account has this agent on the day; whoever was removed has no shifts and takes nothing over. */
  is_employed: boolean;
}

interface StaffRow {
  name: string;
  title: string;
  groups: number[];
  shift: ShiftName;
  off: readonly number[];
  skill: number;
  most: number;
}

export const MAIL_DOMAIN = 'velora.example';

export const GROUPS: readonly GroupRecord[] = [
  { id: 0, name: 'All operators', language: 'en' },
  { id: 1, name: 'Sales', language: 'en' },
  { id: 2, name: 'Technical Support', language: 'en' },
  { id: 3, name: 'Invoicing', language: 'en' },
  { id: 4, name: 'Orders & Returns', language: 'en' },
];

const ROWS: readonly StaffRow[] = [
  { name: 'Amelia Hart', title: 'Sales Lead', groups: [1, 3], shift: 'early', off: [2, 7], skill: 1.3, most: 3 },
  { name: 'Jonas Weber', title: 'Sales Agent', groups: [1], shift: 'middle', off: [6, 7], skill: 1.05, most: 2 },
  { name: 'Priya Nair', title: 'Sales Agent', groups: [1, 4], shift: 'late', off: [3, 4], skill: 1.15, most: 3 },
  { name: 'Marek Zieliński', title: 'Support Lead', groups: [2], shift: 'early', off: [3, 7], skill: 1.25, most: 3 },
  {
    name: 'Chloé Martin',
    title: 'Support Engineer',
    groups: [2, 4],
    shift: 'middle',
    off: [2, 7],
    skill: 0.95,
    most: 2,
  },
  { name: 'Tom O’Leary', title: 'Support Engineer', groups: [2, 3], shift: 'late', off: [5, 6], skill: 1, most: 3 },
  {
    name: 'Sofia Rossi',
    title: 'Billing Specialist',
    groups: [3, 2],
    shift: 'early',
    off: [3, 6],
    skill: 1.1,
    most: 2,
  },
  { name: 'Daniel Novák', title: 'Support Agent', groups: [2, 1], shift: 'late', off: [7, 1], skill: 0.85, most: 2 },
  { name: 'Grace Kim', title: 'Support Agent', groups: [4], shift: 'early', off: [5, 7], skill: 1.2, most: 3 },
  { name: 'Yusuf Demir', title: 'Support Agent', groups: [4, 3], shift: 'middle', off: [4, 6], skill: 0.75, most: 2 },
  { name: 'Ingrid Solberg', title: 'Night Support', groups: [1, 2], shift: 'night', off: [5, 6], skill: 1, most: 3 },
  { name: 'Mateo García', title: 'Night Support', groups: [3, 4], shift: 'night', off: [7, 1], skill: 0.9, most: 4 },
];

/** The agents in the order in which everything else refers to them. */
export function createWorkers(seed: number): Worker[] {
  return ROWS.map((row, index) => ({
    index,
    record: agentRecord(row, index, new Random(seed, 'agent', index)),
    shift: row.shift,
    turn: ROWS.slice(0, index).filter((other) => other.shift === row.shift).length % 3,
    off: row.off,
    skill: row.skill,
    is_employed: true,
  }));
}

/** Shifts that new agents get in turn. */
const NEW_SHIFTS: readonly ShiftName[] = ['middle', 'early', 'late'];

/**
 * The agents of a day as the account has them: the first ones, those who were removed among them, then the new ones in the order in which
 * they came (`hired`, by login). The owner takes no chats unless one of the first.
 */
export function workersOf(
  first: readonly Worker[],
  agents: readonly AgentRecord[],
  hired: readonly string[],
): Worker[] {
  const records = new Map(agents.map((agent) => [agent.login, agent]));
  const changed = first.map((worker): Worker => {
    const record = records.get(worker.record.login);
    return record ? { ...worker, record } : { ...worker, is_employed: false };
  });
  const added = hired.map((login, place): Worker => {
    const record = records.get(login);
    return {
      index: first.length + place,
      record: record ?? { ...first[0]!.record, login, groups: [] },
      shift: NEW_SHIFTS[place % NEW_SHIFTS.length]!,
      turn: place % 3,
      off: [6, 7],
      skill: 1,
      is_employed: record !== undefined,
    };
  });
  return [...changed, ...added];
}

/** The logins of all agents whom the account ever had besides the first, in the order in which they came. */
export function hiredOf(first: readonly Worker[], agents: readonly AgentRecord[], known: readonly string[]): string[] {
  const logins = new Set([...first.map(({ record }) => record.login), ...known]);
  const others = agents.filter(({ login, permission }) => !logins.has(login) && permission !== 'owner');
  return [...known, ...others.map(({ login }) => login)];
}

/** The agent of this index; every index that the world itself writes exists. */
export function workerAt(workers: readonly Worker[], index: number): Worker {
  const worker = workers[index];
  if (!worker) throw new RangeError(`no agent has index ${index}`);
  return worker;
}

/** Whether the agent takes chats of the group; group 0 is everybody's. */
export function servesGroup(worker: Worker, group: number): boolean {
  return group === 0 || worker.record.groups.includes(group);
}

function agentRecord(row: StaffRow, index: number, random: Random): AgentRecord {
  return {
    login: `${plainLetters(row.name)}@${MAIL_DOMAIN}`,
    name: row.name,
    permission: index === 0 ? 'owner' : index === 3 ? 'administrator' : 'normal',
    avatar: `livechat.s3.amazonaws.com/default/avatars/${random.hex(32)}.png`,
    job_title: row.title,
    login_status: 'accepting chats',
    daily_summary: index % 3 === 2 ? 0 : 1,
    notifications: {
      new_visitor: 1,
      returning_visitor: 1,
      queued_visitor: 1,
      visitor_is_typing: index % 4 === 0 ? 1 : 0,
      new_goal: 1,
    },
    max_chats_count: row.most,
    groups: row.groups,
    api_key: random.hex(32),
  };
}

function plainLetters(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(/ /g, '.');
}
