// Records in the audit which pages were refused to signed-in users, as the API does for its refusals.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { addressOf } from '#api/client.ts';
import type { ApiDeps } from '#api/deps.ts';
import { callerOf } from '#api/guard.ts';
import { pathOf } from './admission.ts';

/** Milliseconds in which a repeated refusal is recorded only once. */
const again_ms = 600_000;
const forbidden = 403;

/** Watches the answer to a request for a page. */
export function refusedPages(deps: ApiDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const lately = new LRUCache<string, true>({ max: 20_000, ttl: again_ms });

  async function record(request: IncomingMessage): Promise<void> {
    const caller = await callerOf(deps, request.headers);
    if (!caller) return;
    const by = { ...caller.actor, address: addressOf(request, deps) };
    // Only the page's name: the rest of the address may contain a chat's id or a visitor's name.
    const about = `the page /${pathOf(request).split('/')[1] ?? ''}`;
    const key = JSON.stringify([by.who, by.address, about]);
    if (lately.has(key)) return;
    deps.auth.audit.record({ action: 'request.refused', about, is_refused: true, by });
    lately.set(key, true);
  }

  return (request, response) => {
    response.once('finish', () => {
      if (response.statusCode !== forbidden || !deps.auth.isLoginRequired()) return;
      record(request).catch((error: unknown) => deps.log?.(`a refusal is not in the audit: ${String(error)}`));
    });
  };
}
