// What two sources say differently of the same chat, field by field, besides what v3.5 cannot give (decode/threads.ts). Pure.
import type { DecodedChat, FlatRow } from '../decode/chats.ts';
import { dot } from '../erased/dots.ts';

export interface FieldDifference {
  /** Column of facts.chats, or a table with what differs in it, e.g. `messages[3].text`; `chat` when one source lacks it. */
  field: string;
  rest_v2: string | null;
  agent_v3: string | null;
}

/** Both give the chat: the fields that differ. One of them is missing: that, and nothing else. */
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

/** The facts may have been decoded under other rules of redaction: where one of the two has a dot, the other may say anything. */
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

/** The columns that both can give. */
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

/** By a number or a text, then by another: a table has no order of its own. */
const inOrder = (list: readonly FlatRow[], ...by: string[]): FlatRow[] =>
  [...list].sort((a, b) => by.reduce((order, name) => order || compared(a[name] ?? null, b[name] ?? null), 0));

const compared = (a: FlatRow[string], b: FlatRow[string]): number =>
  a === b ? 0 : a !== undefined && b !== undefined && a !== null && b !== null && a < b ? -1 : 1;

/** One column: the others are those of the chat. */
const only = (list: readonly FlatRow[], column: string): FlatRow[] =>
  inOrder(list, column).map((row) => ({ [column]: row[column] ?? null }));

/** Without what a row repeats of its chat. */
const agentsOf = ({ chat_agents }: DecodedChat): FlatRow[] =>
  inOrder(chat_agents, 'position').map(({ rate: _r, queue_seconds: _q, is_replied: _i, ...own }) => own);

function rows(where: string, v2: readonly FlatRow[], v3: readonly FlatRow[]): FieldDifference[] {
  return alongside(v2, v3).flatMap(([one, other], place) => fields(`${where}[${place}].`, one, other));
}

/** Rows by place, without what every row of a chat repeats. */
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

/** The last closing line is taken out and the lines after it move up. */
function withoutClosing(v3: DecodedChat): FlatRow[] {
  const place = v3.messages.findLastIndex((line) => isClosing(line, v3));
  return v3.messages.filter((_, index) => index !== place);
}

/** Places move when a line is left out; the words of an attachment and the name of a nameless visitor are v2.0's own. */
function lineOf({ position: _, ...line }: FlatRow, v3: FlatRow): FlatRow {
  const is_nameless = v3.user_type === 'visitor' && v3.author_name === null;
  return {
    ...line,
    ...(line.kind === 'attachment' && { text: null }),
    ...(is_nameless && { author_name: null }),
  };
}
