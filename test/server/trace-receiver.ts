// A receiver of traces over OTLP/HTTP: reads protobuf by the field numbers of its public definition.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  name: string;
  kind: number;
  trace_id: string;
  span_id: string;
  parent: string;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
}

type Field = [number: number, value: Buffer | number];

/** The fields of one message: numbers for varints, bytes for what has a length or a fixed size. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, factor, byte] = [0, 1, 0];
    do {
      byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) fields.push([number, varint()]);
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4;
      fields.push([number, message.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap(([found, value]) => (found === number && typeof value !== 'number' ? [value] : []));
const only = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);
const numberIn = (message: Buffer, number: number): number =>
  fieldsOf(message).flatMap(([found, value]) => (found === number && typeof value === 'number' ? [value] : []))[0] ?? 0;

function attributesIn(message: Buffer, number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(message, number).map((pair) => {
      const [first] = fieldsOf(only(pair, 2));
      const value = first?.[1];
      return [only(pair, 1).toString(), Buffer.isBuffer(value) ? value.toString() : value];
    }),
  );
}

const spansIn = (request: Buffer): ReceivedSpan[] =>
  all(request, 1).flatMap((group) =>
    all(group, 2).flatMap((scope) =>
      all(scope, 2).map((span) => ({
        ...{ name: only(span, 5).toString(), kind: numberIn(span, 6) },
        ...{ trace_id: only(span, 1).toString('hex'), span_id: only(span, 2).toString('hex') },
        ...{ parent: only(span, 4).toString('hex'), attributes: attributesIn(span, 9) },
        resource: attributesIn(only(group, 1), 1),
      })),
    ),
  );

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Everything that came, as text, to look for what must not be in it. */
  heard: () => string;
  headers: string[];
  close: () => void;
}

export async function receiveTraces(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      headers.push(`${request.url} ${request.headers['content-type']} ${String(request.headers['x-tenant'])}`);
      bodies.push(body);
      spans.push(...spansIn(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, headers, heard: () => Buffer.concat(bodies).toString('latin1') },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
