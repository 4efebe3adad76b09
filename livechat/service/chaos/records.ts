// The records of an answer: where they are located and which shape the contract gives them.
import type { z } from 'zod';
import { lists } from '#contract/account.ts';
import { archivedChat } from '#contract/archive.ts';
import { reports } from '#contract/reports.ts';
import { threadedChat } from '#contract/threads.ts';
import type { UnsentAnswer, Fault, FaultContext } from './fault.ts';
import type { ChaosRequest } from './question.ts';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Chats, items of a list, or the periods of a report; plain numbers are not records. */
export function recordsOf({ subject, report }: ChaosRequest, body: unknown): Json[] {
  if (subject === 'list') return objectsOf(body);
  if (!isObject(body)) return [];
  if (subject === 'archive' || subject === 'threads') return objectsOf(body.chats);
  if (subject !== 'report') return subject === 'other' ? [] : [body];
  return report && reports[report].keyed === 'ranking' ? objectsOf(body.ranking) : Object.values(body).filter(isObject);
}

/** The schema of those records; undefined where the contract defines none. */
export function shapeOf({ subject, report, list }: ChaosRequest): z.ZodType | undefined {
  if (subject === 'archive' || subject === 'chat') return archivedChat;
  if (subject === 'threads') return threadedChat;
  if (subject === 'report' && report) return reports[report].each;
  if (subject === 'list' && list) return lists[list].each;
  return subject === 'item' && list ? lists[list].one : undefined;
}

/** A value within a record, by who holds it under which key. */
export interface Leaf {
  holder: Json | unknown[];
  key: string;
  value: unknown;
}

/** Every text, number, boolean, null, empty list and empty object below, in order. */
export function* leavesOf(holder: Json | unknown[]): Generator<Leaf> {
  for (const [key, value] of Object.entries(holder)) {
    const is_node = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
    if (is_node) yield* leavesOf(value as Json | unknown[]);
    else yield { holder, key, value };
  }
}

export function put({ holder, key }: Leaf, value: unknown): void {
  (holder as Json)[key] = value;
}

/** The parsed body of a good answer, or nothing. */
function parsed({ status, body }: UnsentAnswer): unknown {
  if (status !== 200) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Changes the parsed body in place and returns whether there was anything to change. */
type Edit = (body: Json | unknown[], scene: FaultContext) => boolean | Promise<boolean>;

/** A fault within the content of a good answer. */
export const content = (
  effect: Fault['effect'],
  what: string,
  fits: (question: ChaosRequest) => boolean,
  edit: Edit,
): Fault => ({
  effect,
  what,
  fits,
  async damage(answer, scene) {
    const body = parsed(answer);
    if (typeof body !== 'object' || body === null) return undefined;
    if (!(await edit(body as Json | unknown[], scene))) return undefined;
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  },
});

export const speaksOf =
  (...subjects: ChaosRequest['subject'][]) =>
  ({ subject }: ChaosRequest): boolean =>
    subjects.includes(subject);
