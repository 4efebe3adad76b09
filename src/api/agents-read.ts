// Determines whose named figures an answer contained: for the audit, and for agents who want to know who read theirs.
import type { Caller } from '#auth/caller.ts';
import { pageOfBoard } from '#dashboards/boards.ts';
import { isAnyByAgent, isByAgent } from '#digests/by-agent.ts';
import { chatColumn, chatColumnIds, usualColumns } from '#warehouse/read/chat-columns.ts';
import type { Endpoint } from './contract/endpoint.ts';
import type { BoardStore } from './user-data.ts';

/** Path of a PDF of a page, or of the file of a panel. */
function isOfAgents(path: string): boolean {
  const [, page, dashboard = '', panel] =
    /^\/api\/(?:dashboards\/([^/]+)\.pdf|panels\/([^/]+)\/([^/.]+)\.\w+)$/.exec(path) ?? [];
  return isByAgent(page ?? dashboard, panel);
}

function isBoardOfAgents(path: string, boards: Pick<BoardStore, 'find'> | undefined): boolean {
  const board = boards?.find(/^\/api\/boards\/([^/]+)\//.exec(path)?.[1] ?? '');
  return board !== undefined && isAnyByAgent(pageOfBoard(board).panels);
}

/** Whether a table of chats has a column that names the agent. */
function hasAgentColumn(query: URLSearchParams): boolean {
  const asked = query.getAll('columns').flatMap((ids) => ids.split(','));
  const columns = chatColumnIds.filter((id) => asked.includes(id));
  return (columns.length > 0 ? columns : usualColumns).some((id) => chatColumn(id).namesAgent);
}

/** Logins with commas; `*`: of all whom the reader may see; null: of none. */
export function agentsRead(
  { agents }: Pick<Endpoint, 'agents'>,
  caller: Caller | null,
  path: string,
  query: URLSearchParams,
  boards?: Pick<BoardStore, 'find'>,
): string | null {
  if (agents === undefined || !caller?.rights.has('agents:read')) return null;
  const logins = [...new Set(query.getAll('agent').filter(Boolean))].sort();
  if (logins.length > 0) return logins.join(',');
  const splits = query.getAll('split').flatMap((names) => names.split(','));
  const isAsked = splits.some((split) => /(?:^|\.)agent$/.test(split));
  if (agents === 'asked') return isAsked ? '*' : null;
  if (agents === 'by_column') return hasAgentColumn(query) ? '*' : null;
  if (agents === 'by_board') return isAsked || isBoardOfAgents(path, boards) ? '*' : null;
  if (agents === 'by_panel') return isAsked || isOfAgents(path) ? '*' : null;
  return isAsked || splits.length === 0 ? '*' : null;
}
