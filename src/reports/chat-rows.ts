// Chats as rows to take away: which they are, a page of them, all of them in pieces, or all of them in a file.
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { Row } from '#warehouse/engine.ts';
import { askOf, type Ask } from '#warehouse/query/ask.ts';
import { assertDeclared, canDeclare } from '#warehouse/query/file-variables.ts';
import { Refused } from '#warehouse/errors.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { assertMeasured } from '#warehouse/query/run.ts';
import { otherGroups } from '#warehouse/read/account-lists.ts';
import { chatColumn, chatColumnIds, usualColumns, type ChatColumnId } from '#warehouse/read/chat-columns.ts';
import { chatRowsInPieces, chatRowsOnPage, spansOf, writeChatRows } from '#warehouse/read/chat-rows.ts';
import type { Page } from '#warehouse/read/page.ts';
import { questionsCommented } from '#warehouse/read/search.ts';
import { assertMaySearch, type WantedChats } from './receipts/search.ts';

/** The chats of a search, and their columns. */
export interface WantedChatRows extends Omit<WantedChats, 'page'> {
  /** The usual ones without. */
  columns?: readonly ChatColumnId[] | undefined;
}

export interface ChatRowSet {
  ask: Ask;
  columns: readonly ChatColumnId[];
  /** The columns that the reader may ask for. */
  choices: readonly ChatColumnId[];
  /** Number of chats. */
  total: number;
  page(page: Page): Promise<Row[]>;
  /** What `make` makes of them, some at a time, newest first. Errors: Cancelled. */
  pieces<Made>(make: (rows: Row[]) => Made): AsyncGenerator<Made>;
  /** The name of a file with all of them, written into an empty folder. Errors: Cancelled. */
  fileIn(folder: string): Promise<string>;
}

/** Where figures of single agents need a minimum number of chats, rows omit the agent: the figures could be counted from them. */
const columnsFor = ({ rows }: Reader): readonly ChatColumnId[] =>
  rows?.agents_from === undefined ? chatColumnIds : chatColumnIds.filter((id) => !chatColumn(id).namesAgent);

/** Errors: Refused. */
function columnsOf(asked: WantedChatRows['columns'], choices: readonly ChatColumnId[]): readonly ChatColumnId[] {
  const hidden = asked?.find((id) => !choices.includes(id));
  if (hidden !== undefined)
    throw new Refused(
      'columns',
      `rows do not say ${hidden} while figures of single agents are limited (CHATLEDGER_AGENT_FIGURES)`,
      choices,
    );
  return asked ?? usualColumns.filter((id) => choices.includes(id));
}

/** Errors: Refused. */
export async function chatRows(wanted: WantedChatRows, context: QueryContext): Promise<ChatRowSet> {
  const { engine } = context.snapshot;
  const { question, columns: asked, ...how } = wanted;
  assertMaySearch(how, context.reader);
  const choices = columnsFor(context.reader);
  const columns = columnsOf(asked, choices);
  const ask = askOf(everyChat, { ...question, grain: 'total' }, context);
  await assertMeasured(ask, {}, context);
  await assertDeclared(engine, ask);
  const hasComments = columns.some((id) => chatColumn(id).beside === 'comments');
  const commented = hasComments ? await questionsCommented(engine, ask.account) : [];
  const hasVariables = await canDeclare(engine);
  const hasGroups = columns.some((id) => chatColumn(id).beside === 'groups');
  const about = { commented, hasVariables, otherGroups: hasGroups ? await otherGroups(context) : [] };
  const table = { search: { ask, ...how }, columns, ...about, now: context.now };
  const { total, spans } = await spansOf(engine, table.search);
  return {
    ...{ ask, columns, choices, total },
    page: (page) => chatRowsOnPage(engine, table, spans, page),
    pieces: (make) => chatRowsInPieces(engine, table, spans, make),
    fileIn: (folder) => writeChatRows(engine, table, spans, folder),
  };
}
