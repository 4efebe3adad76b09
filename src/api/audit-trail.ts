// Records in the audit what was read and changed over HTTP; repeated reads of one thing count once in ten minutes.
import type { Context, MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import { placeOf } from '#auth/address.ts';
import type { AuditEntry } from '#auth/audit.ts';
import { agentsRead } from './agents-read.ts';
import type { Endpoint } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { actorIn, endpointAt } from './guard.ts';

/** Milliseconds. */
const again = 600_000;

/** Parameters that the audit may store: a search text may be a visitor's name, which the audit could not erase. */
const told = new Set([
  ...['account', 'from', 'to', 'preset', 'timezone', 'grain', 'split', 'compare', 'as_of', 'metric', 'format'],
  ...['group', 'agent', 'tag', 'country', 'variable', 'goal', 'currency', 'rate', 'survey', 'period', 'columns'],
]);

function aboutOf(path: string, query: URLSearchParams, names: (name: string) => boolean): string {
  const kept = new URLSearchParams([...query].filter(([name, value]) => names(name) && value !== '').sort());
  const words = query.get('query') ? ' (the words that were searched for are not kept)' : '';
  return `${path.replace(/^\/api/, '')}${kept.size > 0 ? `?${kept.toString()}` : ''}${words}`;
}

/** A page that asks thirty questions about the same agents gives one row. */
const rangeOf = ['account', 'from', 'to', 'group', 'as_of'];

/** The audit row of an answered request; null if none is kept. */
function answered(c: Context, endpoint: Endpoint | undefined, { userData }: ApiDeps): AuditEntry | null {
  if (!endpoint) return null;
  const { path } = c.req;
  const query = new URL(c.req.url).searchParams;
  const caller = c.get('caller') ?? null;
  // Agents who read their own figures are not recorded.
  const agents = caller?.agent === undefined ? agentsRead(endpoint, caller, path, query, userData.boards) : null;
  const { audit: action } = endpoint;
  const changed = c.get('changed');
  if (action && changed !== undefined) return { action, about: changed };
  if (caller?.share && action === 'share.opened')
    return { action, about: caller.share.title, agents: caller.rights.has('agents:read') ? '*' : null };
  if (action === 'chat.read') return { action, about: aboutOf(path, query, (name) => name === 'account') };
  if (action) return { action, about: aboutOf(path, query, (name) => told.has(name)), agents };
  if (agents === null) return null;
  const range = rangeOf.flatMap((name) => query.getAll(name).map((value) => `${name} ${value}`));
  return { action: 'agents.read', about: range.join(', '), agents };
}

export function audited(deps: ApiDeps): MiddlewareHandler {
  const { audit } = deps.auth;
  const lately = new LRUCache<string, true>({ max: 20_000, ttl: again });
  const once = (key: string, c: Context, row: AuditEntry): void => {
    if (lately.has(key)) return;
    audit.record({ ...row, by: actorIn(deps, c) });
    lately.set(key, true);
  };

  /** Requests of unknown callers are not stored: they could fill the audit. */
  function refused(c: Context, endpoint: Endpoint | undefined): void {
    const { who, address } = actorIn(deps, c);
    const isKnown = Boolean(c.get('caller'));
    const what = isKnown
      ? `${c.req.method} ${endpoint ? `/api${endpoint.path}` : 'what is not there'}`
      : 'a wrong token';
    const key = JSON.stringify(isKnown ? [who, address, what] : ['nobody', placeOf(address)]);
    once(key, c, { action: 'request.refused', about: what, is_refused: true });
  }

  return async (c, next) => {
    await next();
    const { method, path } = c.req;
    const { status } = c.res;
    const endpoint = endpointAt(method, path);
    const isRead = method === 'GET' || method === 'HEAD';
    const isWatched = deps.auth.isLoginRequired();
    if (status === 403 || (status === 401 && c.req.header('authorization') !== undefined)) {
      if (isWatched) refused(c, endpoint);
    } else if (status < 400 && (isWatched || !isRead)) {
      // Without logins, reads at the local machine are not recorded; changes are.
      const row = isRead || endpoint?.audit ? answered(c, endpoint, deps) : null;
      const { who, address } = actorIn(deps, c);
      if (row && isRead) once(JSON.stringify([who, address, row.action, row.about, row.agents]), c, row);
      else if (row) audit.record({ ...row, by: actorIn(deps, c) });
    }
  };
}
