// Addresses of receipts, chats and the reconciliation page, and of the page that a reader came from.
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';
import { receiptQuery, type CellQuestion, type Cell } from '#dashboards/cell.ts';
import { segment } from './segment.ts';

const written = (path: string, query: URLSearchParams): ResolvedPathname => {
  const text = query.toString();
  return (path + (text && `?${text}`)) as ResolvedPathname;
};

/** The receipt of a cell. `back` is the address of the page that shows the number. */
export function receiptAddress(cell: Cell, asking: CellQuestion, back: string): ResolvedPathname {
  const query = receiptQuery(cell, asking);
  query.set('back', back);
  return receiptOf(cell.metric, query);
}

/** The address of a receipt, from the query of its page. */
export function receiptOf(metric: string, query: URLSearchParams): ResolvedPathname {
  return written(resolve('/receipt/[metric]', { metric: segment(metric) }), query);
}

export function chatAddress(id: string, query: Record<string, string | undefined>): ResolvedPathname {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return written(resolve('/chat/[id]', { id: segment(id) }), new URLSearchParams(given));
}

export function reconciliationAddress(query: Record<string, string | undefined>): ResolvedPathname {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return written(resolve('/reconciliation'), new URLSearchParams(given));
}

/** The receipt on screen with another measure or another page of chats; undefined takes a part away. */
export function otherReceipt(metric: string, search: string, change: Record<string, string | undefined>) {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return receiptOf(metric, query);
}

/** An agent's own page; `query` begins with a question mark or is empty. */
export function agentAddress(login: string, query = ''): ResolvedPathname {
  return (resolve('/agent/[login]', { login: segment(login) }) + query) as ResolvedPathname;
}

export function transcriptsAddress(query: URLSearchParams): ResolvedPathname {
  return written(resolve('/transcripts'), query);
}

/** The page of an address with a change in its query; undefined takes a part away. */
export function samePage(
  { pathname, search }: { pathname: string; search: string },
  change: Record<string, string | undefined>,
): ResolvedPathname {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return written(pathname, query);
}
