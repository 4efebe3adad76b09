// Connections to a server: kept open for the next request, and given up when the server does not take them in time.
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';

/** An address at which nobody is would be waited for as long as the system does: minutes. */
function endInTime(socket: Duplex | null | undefined, connect_ms: number): Duplex | null | undefined {
  if (!(socket instanceof Socket) || !socket.connecting) return socket;
  const end = (): void => void socket.destroy(new Error(`connect ETIMEDOUT after ${connect_ms / 1000} s`));
  const timer = setTimeout(end, connect_ms).unref();
  const isDone = (): void => clearTimeout(timer);
  socket.once('connect', isDone).once('close', isDone);
  return socket;
}

const options: AgentOptions = { keepAlive: true, maxSockets: 10, timeout: 0 };

class PatientHttp extends HttpAgent {
  readonly #connect_ms: number;

  constructor(connect_ms: number) {
    super(options);
    this.#connect_ms = connect_ms;
  }

  override createConnection(...given: Parameters<HttpAgent['createConnection']>): Duplex | null | undefined {
    return endInTime(super.createConnection(...given), this.#connect_ms);
  }
}

class PatientHttps extends HttpsAgent {
  readonly #connect_ms: number;

  constructor(connect_ms: number) {
    super(options);
    this.#connect_ms = connect_ms;
  }

  override createConnection(...given: Parameters<HttpsAgent['createConnection']>): Duplex | null | undefined {
    return endInTime(super.createConnection(...given), this.#connect_ms);
  }
}

/** `connect_ms`: a connection is waited for as long. */
export const agentOf = (url: string, connect_ms: number): HttpAgent | HttpsAgent =>
  url.startsWith('https:') ? new PatientHttps(connect_ms) : new PatientHttp(connect_ms);
