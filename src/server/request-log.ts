// A record of each answered request for the JSON log: what was asked, without who or what was asked about.
import type { AnsweredRequest } from '#api/deps.ts';
import { endpointAt } from '#api/guard.ts';
import { isApi, isProbe } from './admission.ts';
import { logRecord } from './terminal.ts';

/** The path by its pattern: ids, logins and names become `{id}` or `…`. */
export function patternOf(method: string, path: string): string {
  if (isApi(path)) return `/api${endpointAt(method, path)?.path ?? '/…'}`;
  const [, first = '', ...rest] = path.split('/');
  return `/${/^[a-z-]{0,30}$/.test(first) ? first : '…'}${rest.length > 0 ? '/…' : ''}`;
}

/** Files of the app and probes that went well are left out: they are most of the requests and say nothing. */
export function logAnswer({ method, path, status, seconds, request_id, trace_id }: AnsweredRequest): void {
  if (status < 400 && (isProbe(path) || path.startsWith('/_app/'))) return;
  // 503 says that the program is busy or starting, not that it failed.
  const level = status === 503 ? 'warn' : status >= 500 ? 'error' : 'info';
  logRecord(level, ['answered'], {
    ...{ request_id, trace_id, method, path: patternOf(method, path), status, ms: Math.round(seconds * 1000) },
  });
}
