// The chats behind a number, those that worsen it first, each with the visitor's question and feedback.
import type { ListedChat, Receipt } from '#api/contract/receipts.ts';
import type { Transcript } from '#api/contract/chats.ts';
import { receiptQuery } from '#dashboards/cell.ts';
import type { Measured } from '#dashboards/why/measured.ts';
import type { Pointed } from '#dashboards/why/asked-about.ts';
import { call, type Fetch, type ApiResult } from '#lib/api.ts';

/** Number of chats shown until the reader opens one. */
export const SHOWN = 5;
/** Lines of a chat among which the one that counts is found, and characters of each. */
const LINES = 80;
const LONGEST = 280;

export interface WorstChat {
  chat: ListedChat;
  /** Null where it could not be read. */
  about: Pick<Transcript['chat'], 'rate' | 'tags'> | null;
  /** What the visitor wrote: the line that waited for an answer, otherwise the first. */
  said: { position: number; text: string } | undefined;
  answers: { question: string; answer: string }[];
}

/** The receipt of the number with its first chats, in display order. */
export function readReceipt(
  fetch: Fetch,
  { cell, asking }: Pointed,
  account: string,
  worst: Measured['worst'],
  page: { limit: number; offset: number } = { limit: SHOWN, offset: 0 },
): Promise<ApiResult<Receipt>> {
  const query = receiptQuery(cell, asking);
  if (!cell.measure) query.delete('measure');
  query.set('account', account);
  query.set('limit', String(page.limit));
  query.set('offset', String(page.offset));
  if (worst !== 'started') query.set('order', worst);
  return call(fetch, 'GET /receipts/{id}', { params: { id: cell.metric }, query });
}

export const readWorst = (fetch: Fetch, { metric, account, chats }: Receipt): Promise<WorstChat[]> =>
  Promise.all(chats.rows.map((chat) => read(fetch, chat, account, metric)));

async function read(fetch: Fetch, chat: ListedChat, account: string, metric: string): Promise<WorstChat> {
  const query = { account, metric, limit: String(LINES), longest: String(LONGEST) };
  const found = await call(fetch, 'GET /chats/{id}', { params: { id: chat.chat_id }, query });
  if (found.kind !== 'answered') return { chat, about: null, said: undefined, answers: [] };
  const { chat: about, lines } = found.answer;
  const own = lines.filter(({ user_type, text }) => user_type === 'visitor' && text?.trim());
  const line = own.find(({ position }) => position === chat.lines[0]?.from) ?? own[0];
  return {
    chat,
    about,
    said: line && { position: line.position, text: line.text ?? '' },
    answers: about.surveys.filter(({ survey, answer }) => survey === 'post' && answer.trim() !== ''),
  };
}
