// What faults need to know about a request: its path, the subject of the answer, and the caller.
import { lists } from '#contract/account.ts';
import { archive } from '#contract/archive.ts';
import { reportIds, reports, type ReportId } from '#contract/reports.ts';

/** `archive` and `threads` are pages of chats, `list` an array, `report` an object keyed by period. */
type RequestSubject = 'report' | 'archive' | 'chat' | 'threads' | 'list' | 'item' | 'other';

export interface ChaosRequest {
  /** Method, path, query and body: the same text is the same question. */
  key: string;
  path: string;
  search: URLSearchParams;
  subject: RequestSubject;
  report: ReportId | undefined;
  /** The first path segment of a list or its items, e.g. `/agents`. */
  list: keyof typeof lists | undefined;
  is_v3: boolean;
  /** The region it was sent to. */
  region: string;
}

const reportAt = new Map<string, ReportId>(reportIds.map((id) => [reports[id].path, id]));
const listAt = new Map(Object.entries(lists).map(([id, { path }]) => [path, id as keyof typeof lists]));

/** `body` is the text of a POST. */
export function questionOf(request: Pick<Request, 'method' | 'url' | 'headers'>, body: string): ChaosRequest {
  const { pathname: path, search, searchParams } = new URL(request.url);
  const [, first = ''] = path.split('/');
  const list = listAt.get(`/${first}`);
  return {
    key: `${request.method} ${path}${search}${body && `\n${body}`}`,
    path,
    search: searchParams,
    subject: subjectOf(path, list !== undefined),
    report: reportAt.get(path),
    list,
    is_v3: /^\/v3/.test(path) || /^3/.test(request.headers.get('x-api-version') ?? ''),
    region: request.headers.get('x-region') ?? 'dal',
  };
}

function subjectOf(path: string, is_listed: boolean): RequestSubject {
  if (reportAt.has(path)) return 'report';
  if (path === archive.path) return 'archive';
  if (path.startsWith(`${archive.path}/`)) return 'chat';
  if (path.endsWith('/action/list_archives')) return 'threads';
  if (!is_listed) return 'other';
  return listAt.has(path) ? 'list' : 'item';
}
