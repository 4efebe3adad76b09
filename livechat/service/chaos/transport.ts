// Transport faults: no answer, half an answer, a late answer, or something that is not HTTP.
import type { ServerResponse } from 'node:http';
import type { UnsentAnswer, Fault, FaultContext } from './fault.ts';

/** The client must have read the sent bytes before the connection breaks, or it would see less than intended. */
const until_read_ms = 20;

/** Calls back later, unless the client has disconnected by then. */
function after(wire: ServerResponse, milliseconds: number, act: () => void): void {
  const stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    wire.off('close', stop);
    act();
  }, milliseconds);
  wire.once('close', stop);
}

const breakLine = (wire: ServerResponse): void => void wire.socket?.resetAndDestroy();
const hangUp = (wire: ServerResponse): void => void wire.socket?.destroySoon();
/** Says something outside of HTTP and hangs up. */
const blurt = (wire: ServerResponse, words: string): void => void wire.socket?.end(words);

/** Sends headers with the full length, and then only a part of the body. */
function begin({ status, headers, body }: UnsentAnswer, wire: ServerResponse, share: number, then: () => void): void {
  wire.writeHead(status, { ...headers, 'content-length': body.length });
  const part = body.subarray(0, Math.floor(body.length * share));
  if (part.length === 0) wire.flushHeaders();
  else wire.write(part);
  after(wire, until_read_ms, then);
}

function trickle({ status, headers, body }: UnsentAnswer, wire: ServerResponse, { slow_ms }: FaultContext): void {
  const pieces = 10;
  const size = Math.max(1, Math.ceil(body.length / pieces));
  wire.writeHead(status, { ...headers, 'content-length': body.length });
  const send = (from: number): void => {
    if (from >= body.length) return void wire.end();
    wire.write(body.subarray(from, from + size));
    after(wire, slow_ms / pieces, () => send(from + size));
  };
  send(0);
}

export const transport = {
  silence: {
    effect: 'passing',
    what: 'no answer at all until the client gives up',
    drop: (wire, { hold_ms }) => after(wire, hold_ms, () => hangUp(wire)),
  },
  reset: {
    effect: 'passing',
    what: 'the connection is reset before the first byte of an answer',
    drop: breakLine,
  },
  hang_up: {
    effect: 'passing',
    what: 'the connection is closed in good order, without an answer',
    drop: hangUp,
  },
  not_http: {
    effect: 'passing',
    what: 'something answers that does not speak HTTP',
    drop: (wire) => blurt(wire, 'SSH-2.0-OpenSSH_9.2p1\r\n'),
  },
  bad_chunk: {
    effect: 'passing',
    what: 'a chunked body whose first chunk has no size',
    drop: (wire) =>
      blurt(
        wire,
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nsize\r\n{}\r\n',
      ),
  },
  reset_headers: {
    effect: 'passing',
    what: 'the connection is reset after the headers',
    deliver: (answer, wire) => begin(answer, wire, 0, () => breakLine(wire)),
  },
  reset_body: {
    effect: 'passing',
    what: 'the connection is reset in the middle of the body',
    deliver: (answer, wire, { random }) => begin(answer, wire, random.unit(), () => breakLine(wire)),
  },
  cut_body: {
    effect: 'passing',
    what: 'the connection is closed in good order in the middle of the body',
    deliver: (answer, wire, { random }) => begin(answer, wire, random.unit(), () => hangUp(wire)),
  },
  stall: {
    effect: 'passing',
    what: 'half of the body, then nothing until the client gives up',
    deliver: (answer, wire, { hold_ms }) => begin(answer, wire, 0.5, () => after(wire, hold_ms, () => hangUp(wire))),
  },
  slow: {
    effect: 'harmless',
    what: 'the right body, a piece at a time',
    deliver: trickle,
  },
  late: {
    effect: 'harmless',
    what: 'the right answer, after a pause',
    deliver: ({ status, headers, body }, wire, { slow_ms }) =>
      after(wire, slow_ms, () => wire.writeHead(status, { ...headers, 'content-length': body.length }).end(body)),
  },
} as const satisfies Record<string, Fault>;
