// Requests as steps: by the pattern of their path, never with what follows it.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestId } from '#api/request-id.ts';
import { steps, traced } from '#warehouse/tracing.ts';
import { isProbe, pathOf } from './admission.ts';
import { patternOf } from './request-log.ts';

/** Probes and files of the app are most of the requests and say nothing. */
export function tracedRequest(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  const [method, path] = [request.method ?? 'GET', pathOf(request)];
  if (!steps.hasSubscribers || isProbe(path) || path.startsWith('/_app/')) return answer();
  const route = patternOf(method, path);
  const request_id = requestId();
  const attributes = {
    ...{ 'http.request.method': method, 'http.route': route },
    ...(request_id === undefined ? {} : { 'chatledger.request_id': request_id }),
  };
  void traced({ name: `${method} ${route}`, attributes, is_request: true }, async (more) => {
    const closed = once(response, 'close');
    answer();
    await closed;
    more['http.response.status_code'] = response.statusCode;
    if (!response.writableFinished) more['chatledger.is_cut_off'] = true;
  }).catch(() => undefined);
}
