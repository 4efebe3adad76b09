// Who may ask what, written down a second time: what a contract lets in by mistake is not here.
import type { Right } from '#auth/rights.ts';

/** A right; or nothing, a session or token of whomever, the key of a shared link. */
export type Needed = Right | 'nothing' | 'sign_in' | 'share';

export interface Route {
  needs: Needed;
  /** An address of it that is answered with figures, chats or settings of the account `default`. */
  asked?: string;
  /** What a reader of another account gets of it; refused where nothing is said. */
  foreign?: 'nothing of it';
}

const range = 'from=2026-05-01&to=2026-05-09&account=default';
const told = (needs: Needed, asked: string): Route => ({ needs, asked });
const only = (needs: Needed): Route => ({ needs });
const reports = (paths: readonly string[]): Record<string, Route> =>
  Object.fromEntries(
    paths.map((path) => [
      `GET /reports/${path}`,
      told('numbers:read', `/reports/${path}?date_from=2026-05-01&date_to=2026-05-09`),
    ]),
  );

export const routes: Readonly<Record<string, Route>> = {
  'GET /health': only('nothing'),
  'GET /ready': only('nothing'),
  'GET /brand': only('nothing'),
  'GET /brand/logo': only('nothing'),
  'GET /me': only('nothing'),
  'GET /sign-in': only('nothing'),
  'POST /sign-in': only('nothing'),
  'POST /sign-out': only('nothing'),
  'GET /sign-on': only('nothing'),
  'GET /sign-on/callback': only('nothing'),
  'POST /password-reset': only('nothing'),
  'PUT /password-reset': only('nothing'),

  'GET /share': only('share'),
  'GET /share/panels/{panel}': only('share'),

  'GET /events': only('numbers:read'),
  'GET /metrics': only('numbers:read'),
  'GET /metrics/{id}': told('numbers:read', `/metrics/total_chats?${range}`),
  'GET /metrics/{id}.csv': told('numbers:read', `/metrics/total_chats.csv?${range}`),
  'GET /accounts.csv': told('numbers:read', '/accounts.csv?from=2026-05-01&to=2026-05-09&account=*'),
  'GET /accounts.xlsx': told('numbers:read', '/accounts.xlsx?from=2026-05-01&to=2026-05-09&account=*'),
  'GET /receipts/{id}': told('numbers:read', `/receipts/total_chats?${range}&grain=total`),
  'GET /panels/{dashboard}/{file}': told('numbers:read', `/panels/overview/volume.csv?${range}`),
  'GET /dashboards/{id}.pdf': told('numbers:read', `/dashboards/queue.pdf?${range}`),
  'GET /reconciliation': told('numbers:read', `/reconciliation?${range}`),
  'GET /restatements': told('numbers:read', '/restatements?account=default'),
  'GET /accounts': { ...told('numbers:read', '/accounts'), foreign: 'nothing of it' },
  'GET /own-figures': only('numbers:read'),
  'GET /boards': only('numbers:read'),
  'GET /boards/{id}': only('numbers:read'),
  'GET /boards/{id}/page.pdf': only('numbers:read'),
  'GET /sql/tables': told('files', '/sql/tables'),
  'GET /sql/limits': told('files', '/sql/limits'),
  'POST /sql': only('files'),
  'POST /sql/file': only('files'),
  'GET /sql/queries': only('files'),
  'GET /sql/queries/{id}': only('files'),
  'POST /sql/queries': only('files'),
  'PUT /sql/queries/{id}': only('files'),
  'DELETE /sql/queries/{id}': only('files'),
  'POST /mcp': only('sign_in'),
  'GET /backups': told('pulls:write', '/backups'),
  'GET /disk': told('pulls:write', '/disk'),
  'GET /snapshots': { ...told('numbers:read', '/snapshots'), foreign: 'nothing of it' },
  'GET /annotations': told('numbers:read', '/annotations?account=default'),
  'GET /business-hours': told('numbers:read', '/business-hours?account=default'),
  'GET /variables': told('numbers:read', '/variables?account=default'),
  'GET /targets': told('numbers:read', '/targets?account=default'),
  'GET /targets/days': told('numbers:read', `/targets/days?${range}`),
  'GET /period-goals': told('numbers:read', '/period-goals?account=default'),
  ...reports(['chats/total_chats', 'chats/engagement', 'chats/not_replied_chats', 'chats/ratings']),
  ...reports(['chats/ratings/ranking', 'chats/queued_visitors', 'chats/queued_visitors/waiting_times']),
  ...reports(['availability', 'chats/chatting_time', 'chats/first_response_time', 'chats/response_time']),
  ...reports(['chats/goals', 'chats/greetings', 'tickets/new_tickets', 'tickets/first_response_time']),
  ...reports(['tickets/solved_tickets', 'tickets/resolution_time', 'tickets/ticket_sources', 'tickets/ratings']),
  ...reports(['tickets/ratings/ranking']),
  'GET /reports/chats/agents_occupancy': told('numbers:read', '/reports/chats/agents_occupancy?weekday=mon'),

  'GET /agents.csv': told('agents:read', `/agents.csv?${range}`),
  'GET /agents.xlsx': told('agents:read', `/agents.xlsx?${range}`),
  'GET /agents.pdf': told('agents:read', `/agents.pdf?${range}`),
  'GET /agents/expected': told('agents:read', `/agents/expected?${range}`),
  'GET /agents/team': told('agents:read', `/agents/team?${range}&agent=a%40x.test`),

  'GET /chats': told('chats:read', `/chats?${range}`),
  'GET /chats/{id}': told('chats:read', '/chats/C000000?account=default'),
  'GET /chat-rows': told('chats:read', `/chat-rows?${range}`),
  'GET /chat-rows.csv': told('chats:read', `/chat-rows.csv?${range}`),
  'GET /chat-rows.xlsx': told('chats:read', `/chat-rows.xlsx?${range}`),
  'GET /chat-rows.parquet': told('chats:read', `/chat-rows.parquet?${range}`),

  'GET /snapshots/current/file': told('files', '/snapshots/current/file'),
  'GET /snapshots/{id}/file': only('files'),

  'PUT /annotations': only('annotations:write'),
  'DELETE /annotations/{id}': only('annotations:write'),

  'PUT /targets': only('targets:write'),
  'DELETE /targets/{id}': only('targets:write'),
  'PUT /period-goals': only('targets:write'),
  'DELETE /period-goals/{id}': only('targets:write'),

  'PUT /business-hours': only('digests:write'),
  'GET /digests': only('digests:write'),
  'GET /digests/{id}': only('digests:write'),
  'PUT /digests/{id}': only('digests:write'),
  'DELETE /digests/{id}': only('digests:write'),
  'POST /digests/{id}/run': only('digests:write'),
  'POST /digests/{id}/again': only('digests:write'),
  'POST /digests/{id}/test': only('digests:write'),
  'GET /digests/{id}/preview.{format}': only('digests:write'),
  'GET /digests/{id}/sends/{period}/{format}': only('digests:write'),

  'GET /pulls': told('pulls:write', '/pulls?account=default'),
  'POST /pulls': only('pulls:write'),

  'GET /erasures': only('erase'),
  'POST /erasures/plan': only('erase'),
  'POST /erasures': only('erase'),

  'POST /first-admin': only('people:write'),
  'GET /variables/seen': only('people:write'),
  'PUT /variables': only('people:write'),
  'GET /users': only('people:write'),
  'POST /users': only('people:write'),
  'PUT /users/{id}': only('people:write'),
  'POST /users/{id}/password': only('people:write'),
  'DELETE /users/{id}': only('people:write'),
  'DELETE /users/{id}/second-factor': only('people:write'),

  'GET /settings': only('settings:write'),
  'PUT /settings': only('settings:write'),
  'POST /settings/test-mail': only('settings:write'),
  'PUT /brand/logo': only('settings:write'),
  'DELETE /brand/logo': only('settings:write'),
  'GET /audit': only('audit:read'),
  'GET /audit.csv': only('audit:read'),

  'GET /own-figures/reads': only('sign_in'),
  'POST /boards': only('sign_in'),
  'PUT /boards/{id}': only('sign_in'),
  'DELETE /boards/{id}': only('sign_in'),
  'GET /views': only('sign_in'),
  'PUT /views': only('sign_in'),
  'DELETE /views/{id}': only('sign_in'),
  'GET /pins': only('sign_in'),
  'PUT /pins': only('sign_in'),
  'PUT /me/password': only('sign_in'),
  'GET /sessions': only('sign_in'),
  'DELETE /sessions/{id}': only('sign_in'),
  'POST /sign-on/link': only('sign_in'),
  'GET /me/identities': only('sign_in'),
  'DELETE /me/identities/{id}': only('sign_in'),
  'GET /me/second-factor': only('sign_in'),
  'POST /me/second-factor': only('sign_in'),
  'PUT /me/second-factor': only('sign_in'),
  'POST /me/second-factor/off': only('sign_in'),
  'GET /tokens': only('sign_in'),
  'POST /tokens': only('sign_in'),
  'DELETE /tokens/{id}': only('sign_in'),
  'GET /shares': only('sign_in'),
  'POST /shares': only('sign_in'),
  'DELETE /shares/{id}': only('sign_in'),
};
