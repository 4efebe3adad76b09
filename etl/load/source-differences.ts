// How two sources differ on the same chat, field by field, apart from what v3.5 cannot provide (decode/threads.ts). Pure.
import type { DecodedChat, FlatRow } from '../decode/chats.ts';
import { dot } from '../erased/dots.ts';

export interface FieldDifference {
  /** Column of facts.chats, or a table with the differing part, e.g. `messages[3].text`; `chat` when one source lacks the chat. */
  field: string;
  rest_v2: string | null;
  agent_v3: string | null;
}

/** The fields that differ when both sources have the chat; when one lacks it, only that. */
export function differencesOf(v2: DecodedChat | undefined, v3: DecodedChat | undefined): FieldDifference[] {
  if (!v2 || !v3) return v2 || v3 ? [{ field: 'chat', rest_v2: presence(v2), agent_v3: presence(v3) }] : [];
  const found = [
    ...fields('', chatOf(v2), chatOf(v3)),
    ...messages(v2, v3),
    ...rows('agents', agentsOf(v2), agentsOf(v3)),
    ...rows('groups', only(v2.chat_groups, 'group_id'), only(v3.chat_groups, 'group_id')),
    ...rows('tags', only(v2.chat_tags, 'tag'), only(v3.chat_tags, 'tag')),
    ...rows('surveys', inOrder(v2.chat_surveys, 'position', 'survey'), inOrder(v3.chat_surveys, 'position', 'survey')),
    ...rows('variables', inOrder(v2.chat_variables, 'name'), inOrder(v3.chat_variables, 'name')),
  ];
  const isSame = v2.chats[0]?.redaction === v3.chats[0]?.redaction;
  return isSame ? found : found.filter(({ rest_v2, agent_v3 }) => !differsByRules(rest_v2, agent_v3));
}

/** The stored facts may follow other redaction rules: where one text has a dot, any character of the other matches. */
function differsByRules(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const [these, those] = [[...one], [...other]];
  return (
    these.length === those.length &&
    these.every((each, place) => [those[place], dot].includes(each) || those[place] === dot)
  );
}

const presence = (chat: DecodedChat | undefined): string | null => (chat ? 'there' : null);
const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

function fields(where: string, v2: FlatRow, v3: FlatRow): FieldDifference[] {
  return [...new Set([...Object.keys(v2), ...Object.keys(v3)])].flatMap((name) => {
    const [rest_v2, agent_v3] = [textOf(v2[name]), textOf(v3[name])];
    return rest_v2 === agent_v3 ? [] : [{ field: `${where}${name}`, rest_v2, agent_v3 }];
  });
}

/** Columns that both sources can provide. */
function chatOf({ chats: [chat = {}] }: DecodedChat): FlatRow {
  const {
    source: _s,
    content_hash: _h,
    pull_id: _p,
    redaction: _r,
    visitor_id: _v,
    source_timezone: _z,
    ...same
  } = chat;
  return { ...same, rate: same.rate === 'rated' ? 'not_rated' : (same.rate ?? null) };
}

/** Sorts by the given columns, as numbers or texts: rows of a table come in no particular order. */
const inOrder = (list: readonly FlatRow[], ...by: string[]): FlatRow[] =>
  [...list].sort((a, b) => by.reduce((order, name) => order || compared(a[name] ?? null, b[name] ?? null), 0));

const compared = (a: FlatRow[string], b: FlatRow[string]): number =>
  a === b ? 0 : a !== undefined && b !== undefined && a !== null && b !== null && a < b ? -1 : 1;

/** A single column; the others repeat the chat's. */
const only = (list: readonly FlatRow[], column: string): FlatRow[] =>
  inOrder(list, column).map((row) => ({ [column]: row[column] ?? null }));

/** Rows without the columns that repeat the chat's. */
const agentsOf = ({ chat_agents }: DecodedChat): FlatRow[] =>
  inOrder(chat_agents, 'position').map(({ rate: _r, queue_seconds: _q, is_replied: _i, ...own }) => own);

function rows(where: string, v2: readonly FlatRow[], v3: readonly FlatRow[]): FieldDifference[] {
  return alongside(v2, v3).flatMap(([one, other], place) => fields(`${where}[${place}].`, one, other));
}

/** Rows paired by position, without the columns that repeat the chat's. */
const alongside = (v2: readonly FlatRow[], v3: readonly FlatRow[]): [FlatRow, FlatRow][] =>
  Array.from({ length: Math.max(v2.length, v3.length) }, (_, place) => [ownOf(v2[place]), ownOf(v3[place])]);

const ownOf = ({ account: _a, chat_id: _c, started_at: _s, started_quarter: _q, ...own }: FlatRow = {}): FlatRow => own;

function messages(v2: DecodedChat, v3: DecodedChat): FieldDifference[] {
  const closes = v2.messages.some((line) => isClosing(line, v2));
  const own = closes ? v3.messages : withoutClosing(v3);
  return alongside(inOrder(v2.messages, 'position'), inOrder(own, 'position')).flatMap(([one, other], place) =>
    fields(`messages[${place}].`, lineOf(one, other), lineOf(other, other)),
  );
}

const isClosing = ({ event_type, at }: FlatRow, { chats: [chat] }: DecodedChat): boolean =>
  event_type === 'closed' && at === chat?.ended_at;

/** Removes the last closing line; the lines after it move up. */
function withoutClosing(v3: DecodedChat): FlatRow[] {
  const place = v3.messages.findLastIndex((line) => isClosing(line, v3));
  return v3.messages.filter((_, index) => index !== place);
}

/** Positions shift when a line is left out; attachment texts and names of nameless visitors exist in v2.0 only. */
function lineOf({ position: _, ...line }: FlatRow, v3: FlatRow): FlatRow {
  const is_nameless = v3.user_type === 'visitor' && v3.author_name === null;
  return {
    ...line,
    ...(line.kind === 'attachment' && { text: null }),
    ...(is_nameless && { author_name: null }),
  };
}
