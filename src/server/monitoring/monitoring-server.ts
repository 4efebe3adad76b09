// The port of monitoring: GET /metrics in the Prometheus text format, and nothing else.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { malformed, pathOf } from '../admission.ts';
import { createHttp, listen, refuse } from '../http.ts';
import type { Monitor } from './gauges.ts';

export interface MonitoringSettings {
  host: string;
  port: number;
  /** Asked for as the password of HTTP Basic, whatever the user name; null: of nobody. */
  password: string | null;
}

/** @throws Stopped when the port is taken. */
export const openMonitoring = (monitor: Monitor, { host, port, password }: MonitoringSettings): Promise<Server> =>
  listen(
    createHttp(
      (request) => malformed(request),
      (request, response) => {
        if (pathOf(request) !== '/metrics') return refuse(request, response, ['not_found', 'here is GET /metrics']);
        if (request.method !== 'GET') return refuse(request, response, ['not_allowed', 'it is only read', ['GET']]);
        if (password !== null && !isLetIn(request, password)) return challenge(request, response);
        void answer(monitor, response);
      },
    ),
    host,
    port,
    'CHATLEDGER_METRICS_PORT',
  );

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isLetIn({ headers }: IncomingMessage, password: string): boolean {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.authorization ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return timingSafeEqual(digest(given.slice(given.indexOf(':') + 1)), digest(password));
}

function challenge(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('www-authenticate', 'Basic realm="Chatledger metrics"');
  refuse(request, response, ['unauthorized', 'the password of CHATLEDGER_METRICS_PASSWORD is asked for']);
}

async function answer({ registry }: Monitor, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${String(error)}\n`);
  }
}
